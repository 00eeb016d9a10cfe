/* SPDX-License-Identifier: Apache-2.0
 * A Simics module (README.md): the class sare_bridge_agent hangs on an Ethernet link as a computer's other
 * end. What the link delivers goes to the follower, with its time; what the follower sends goes to the link.
 */
#include <simics/device-api.h>
#include <simics/devs/ethernet.h>
#include <simics/simulator-iface/follower.h>
#include <simics/simulator-iface/link-endpoint.h>
#include <string.h>

enum { crc_length = 4, shortest = 60, longest = 65535 }; /* bytes of a frame without its CRC */

typedef struct {
    conf_object_t obj;
    conf_object_t* leader;
    const leader_message_interface_t* leader_message;
    conf_object_t* link;
    const ethernet_common_interface_t* ethernet;
    const link_endpoint_v2_interface_t* endpoint;
} agent;

static agent* agent_of(conf_object_t* obj) {
    return (agent*)obj;
}

/* ---- from the link to the follower ---- */

static void frame_from_link(conf_object_t* obj, const frags_t* frame, eth_frame_crc_status_t crc) {
    agent* a = agent_of(obj);
    size_t length = frags_len(frame);
    if (a->leader_message == NULL || a->endpoint == NULL) return;
    if (crc == Eth_Frame_CRC_Mismatch || length < 14 + crc_length || length > longest + crc_length) {
        SIM_LOG_INFO(2, obj, 0, "a damaged frame of %d bytes goes nowhere", (int)length);
        return;
    }
    length -= crc_length;
    uint8* bytes = MM_MALLOC(length, uint8);
    frags_extract_slice(frame, bytes, 0, length);
    bytes_t message = {bytes, length};
    a->leader_message->send(a->leader, a->endpoint->delivery_time(a->link),
                            a->endpoint->delivery_skey(a->link), message);
    MM_FREE(bytes);
}

/* ---- from the follower to the link ---- */

/* Short ones are padded, as on a wire; the link needs no CRC where it is told that it matches. */
static void frame_from_follower(conf_object_t* obj, bytes_t message) {
    agent* a = agent_of(obj);
    static const uint8 nothing[shortest + crc_length];
    if (a->ethernet == NULL) return;
    frags_t frame;
    frags_init_add(&frame, message.data, message.len);
    frags_add(&frame, nothing, (message.len < shortest ? shortest - message.len : 0) + crc_length);
    a->ethernet->frame(a->link, &frame, Eth_Frame_CRC_Match);
}

static void text_from_follower(conf_object_t* obj, bytes_t message) {
    SIM_LOG_INFO(1, obj, 0, "the network: %.*s", (int)message.len, (const char*)message.data);
}

/* ---- attributes ---- */

static attr_value_t get_leader(conf_object_t* obj) {
    return SIM_make_attr_object(agent_of(obj)->leader);
}

static set_error_t set_leader(conf_object_t* obj, attr_value_t* value) {
    conf_object_t* leader = SIM_attr_object(*value);
    const leader_message_interface_t* i = SIM_c_get_interface(leader, LEADER_MESSAGE_INTERFACE);
    if (i == NULL) return Sim_Set_Interface_Not_Found;
    agent_of(obj)->leader = leader;
    agent_of(obj)->leader_message = i;
    return Sim_Set_Ok;
}

static attr_value_t get_link(conf_object_t* obj) {
    return SIM_make_attr_object(agent_of(obj)->link);
}

static set_error_t set_link(conf_object_t* obj, attr_value_t* value) {
    conf_object_t* link = SIM_attr_object(*value);
    const ethernet_common_interface_t* ethernet = SIM_c_get_interface(link, ETHERNET_COMMON_INTERFACE);
    const link_endpoint_v2_interface_t* endpoint = SIM_c_get_interface(link, LINK_ENDPOINT_V2_INTERFACE);
    if (ethernet == NULL || endpoint == NULL) return Sim_Set_Interface_Not_Found;
    agent_of(obj)->link = link;
    agent_of(obj)->ethernet = ethernet;
    agent_of(obj)->endpoint = endpoint;
    return Sim_Set_Ok;
}

static conf_object_t* new_agent(conf_class_t* class) {
    (void)class;
    return &MM_ZALLOC(1, agent)->obj;
}

static void free_agent(conf_object_t* obj) {
    MM_FREE(agent_of(obj));
}

void init_local(void) {
    static const class_info_t info = {
        .alloc = new_agent,
        .dealloc = free_agent,
        .short_desc = "a computer's way to Sare",
        .description =
            "Takes the frames of an Ethernet link to a follower that brings them to a network in Sare."};
    static const ethernet_common_interface_t ethernet = {.frame = frame_from_link};
    static const follower_agent_interface_t follower = {.accept = frame_from_follower,
                                                        .accept_async = text_from_follower};
    conf_class_t* class = SIM_create_class("sare_bridge_agent", &info);
    SIM_REGISTER_INTERFACE(class, ethernet_common, &ethernet);
    SIM_REGISTER_INTERFACE(class, follower_agent, &follower);
    SIM_register_attribute(class, "leader", get_leader, set_leader, Sim_Attr_Required, "o",
                           "The leader that the follower has connected to.");
    SIM_register_attribute(class, "link", get_link, set_link, Sim_Attr_Required, "o",
                           "The endpoint of an Ethernet link, with indirect delivery.");
}
