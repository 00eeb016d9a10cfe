// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/temporary_folder.h"

#include <stdlib.h>
#include <fstream>
#include <ostream>

namespace sare {

/// A temporary file in a new folder of its own within temporary_folder(), so that a library that writes the
/// file may make more files beside it. The destructor removes the folder and all that is in it.
class temporary_file {
  public:
    /// Makes the folder; the file `name` in it is for the caller to write. Throws std::runtime_error if the
    /// folder cannot be made.
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
    /// Full path of the file, which exists only if the caller has written it.
    const std::string& name() const { return m_name; }
    /// Copies the contents of the file to `out`. Throws std::runtime_error if the file cannot be opened.
    void write(std::ostream& out) const {
        std::ifstream file(m_name, std::ios::binary);
        if (!file) throw std::runtime_error(m_name + " is gone");
        if (file.peek() != std::ifstream::traits_type::eof())
            out << file.rdbuf();  // nothing is an error to <<
    }

  private:
    std::filesystem::path m_folder;  ///< folder of the file
    std::string m_name;              ///< full path of the file
};

}  // namespace sare
