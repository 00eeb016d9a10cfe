/* SPDX-License-Identifier: Apache-2.0
 * A stand-in for the part of Simics' Device API that tb/simics/agent.c uses, after Simics' public API
 * Reference Manual: for tests, where there is no Simics. */
#ifndef STUB_SIMICS_DEVICE_API_H
#define STUB_SIMICS_DEVICE_API_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint8_t uint8;
typedef uint64_t uint64;

typedef struct conf_class conf_class_t;
typedef struct conf_object {
    const conf_class_t* stub_class;
} conf_object_t;

typedef struct {
    const uint8* data;
    size_t len;
} bytes_t;

#define MM_MALLOC(n, type) ((type*)malloc((n) * sizeof(type)))
#define MM_ZALLOC(n, type) ((type*)calloc((n), sizeof(type)))
#define MM_FREE(p) free(p)

#define SIM_INTERFACE(name)                             \
    typedef struct name##_interface name##_interface_t; \
    struct name##_interface

typedef struct {
    conf_object_t* object;
} attr_value_t;
typedef enum { Sim_Set_Ok, Sim_Set_Interface_Not_Found } set_error_t;
typedef enum { Sim_Attr_Required } attr_attr_t;

typedef struct {
    conf_object_t* (*alloc)(conf_class_t* cls);
    void (*dealloc)(conf_object_t* obj);
    const char *description, *short_desc;
} class_info_t;

conf_class_t* SIM_create_class(const char* name, const class_info_t* info);
int SIM_register_interface(conf_class_t* cls, const char* name, const void* iface);
#define SIM_REGISTER_INTERFACE(cls, name, iface) SIM_register_interface(cls, #name, iface)
void SIM_register_attribute(conf_class_t* cls, const char* name, attr_value_t (*get)(conf_object_t* obj),
                            set_error_t (*set)(conf_object_t* obj, attr_value_t* value), attr_attr_t attr,
                            const char* type, const char* description);
const void* SIM_c_get_interface(const conf_object_t* obj, const char* name);
attr_value_t SIM_make_attr_object(conf_object_t* obj);
conf_object_t* SIM_attr_object(attr_value_t value);
void stub_log(const conf_object_t* obj, const char* format, ...) __attribute__((format(printf, 2, 3)));
#define SIM_LOG_INFO(level, obj, group, ...) stub_log(obj, __VA_ARGS__)

/* In the module. */
void init_local(void);

/* What tests make objects of classes with. */
conf_object_t* stub_new(const conf_class_t* cls);
const class_info_t* stub_info(const conf_object_t* obj);
conf_class_t* stub_class(const char* name);
set_error_t stub_set(conf_object_t* obj, const char* attribute, conf_object_t* value);

#ifdef __cplusplus
}
#endif
#endif
