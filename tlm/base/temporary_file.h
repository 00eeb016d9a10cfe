// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/temporary_folder.h"

#include <stdlib.h>
#include <fstream>
#include <ostream>

namespace sare {

/// A file in a folder of its own in that for temporary files: what writes it may make others beside it. Both
/// are gone with this.
class temporary_file {
  public:
    explicit temporary_file(const std::string& name) {
        std::string folder = (temporary_folder() / "sare-XXXXXX").string();
        if (mkdtemp(folder.data()) == nullptr)
            throw std::runtime_error("no folder can be made in " + temporary_folder().string() +
                                     "; TMPDIR names another one");
        m_folder = folder;
        m_name = (m_folder / name).string();
    }
    ~temporary_file() {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    const std::string& name() const { return m_name; }
    void write(std::ostream& out) const {
        std::ifstream file(m_name, std::ios::binary);
        if (!file) throw std::runtime_error(m_name + " is gone");
        out << file.rdbuf();
    }

  private:
    std::filesystem::path m_folder;
    std::string m_name;
};

}  // namespace sare
