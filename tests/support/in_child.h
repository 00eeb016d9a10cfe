// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace sare::test {

/// What `f` gives, run in a process of its own: SystemC holds one simulation per process. What it throws
/// becomes "error: ...".
inline std::string in_child(const std::function<std::string()>& f) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        close(ends[0]);
        std::string text;
        try {
            text = f();
        } catch (const std::exception& e) {
            text = std::string("error: ") + e.what();
        }
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t n = write(ends[1], text.data() + done, text.size() - done);
            if (n <= 0) break;
            done += static_cast<std::size_t>(n);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[65536];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

}  // namespace sare::test
