// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sare_abi.h>  // made by the build: a digest of all headers

#include <string>  // says which C++ ABI

/// Plugins: shared libraries whose objects of `config::registration` add variants when they are loaded. One
/// of a plugin's files says SARE_PLUGIN(); docs/extending.md.

#define SARE_TEXT_OF(x) #x
#define SARE_TEXT(x) SARE_TEXT_OF(x)
/// What a plugin and the program that loads it must have in common: the headers, and the C++ ABI.
#define SARE_PLUGIN_ABI SARE_ABI "-" SARE_TEXT(__GXX_ABI_VERSION) "-" SARE_TEXT(_GLIBCXX_USE_CXX11_ABI)
/// Comes before it in the library's file, so that it can be read before anything of the library runs.
#define SARE_PLUGIN_MARK "sare plugin for: "

#define SARE_PLUGIN()                                                                       \
    extern "C" __attribute__((used, visibility("default"))) const char sare_plugin_mark[] = \
        SARE_PLUGIN_MARK SARE_PLUGIN_ABI
