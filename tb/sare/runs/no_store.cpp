// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/run_store.h"

namespace sare::cli {

std::unique_ptr<run_store> open_store(const std::string& file, store_use) {
    throw store_error(file +
                          ": this sare was built without SQLite, which a store of runs needs; install "
                          "libsqlite3-dev, configure and build again, or leave out --store",
                      false);
}

}  // namespace sare::cli
