// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sare_abi.h>  // made by the build: a digest of all headers

#include <string>  // says which C++ ABI

/// Plugins: shared libraries whose `config::registration` objects add variants when they are loaded. One
/// source file of a plugin must have the line SARE_PLUGIN(); see docs/extending.md.

#define SARE_TEXT_OF(x) #x
#define SARE_TEXT(x) SARE_TEXT_OF(x)
/// Text that stands for the headers and the C++ ABI: it must be equal in a plugin and in the program that
/// loads it.
#define SARE_PLUGIN_ABI SARE_ABI "-" SARE_TEXT(__GXX_ABI_VERSION) "-" SARE_TEXT(_GLIBCXX_USE_CXX11_ABI)
/// Text that stands before SARE_PLUGIN_ABI in a plugin's file, so that the ABI can be read before any code of
/// the plugin runs.
#define SARE_PLUGIN_MARK "sare plugin for: "

#define SARE_PLUGIN()                                                                       \
    extern "C" __attribute__((used, visibility("default"))) const char sare_plugin_mark[] = \
        SARE_PLUGIN_MARK SARE_PLUGIN_ABI
