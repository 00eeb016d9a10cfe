// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/pages/command_tree.h"
#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/usage.h"

#include <algorithm>
#include <filesystem>

/// Makes completion scripts and manual pages from the program's own declarations.
namespace sare::cli {
namespace {

std::string completion_for(const std::string& shell, const command_doc& tree) {
    if (shell == "bash") return bash_completion(tree);
    return shell == "zsh" ? zsh_completion(tree) : fish_completion(tree);
}

/// Writes the pages below `folder`, as they are installed.
void write_pages(const std::filesystem::path& folder, const command_doc& tree) {
    const auto write = [&](const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder / name).parent_path());
        write_file(folder / name, text);
    };
    write("bash-completion/completions/sare", bash_completion(tree));
    write("zsh/site-functions/_sare", zsh_completion(tree));
    write("fish/vendor_completions.d/sare.fish", fish_completion(tree));
    for (const command_doc* c : all_of(tree)) {
        std::string name = c->name.empty() ? "sare" : "sare-" + c->name;
        std::replace(name.begin(), name.end(), ' ', '-');
        write("man/man1/" + name + ".1", manual_page(*c, version()));
    }
    write("man/man5/sare-experiment.5", configuration_page(version()));
}

}  // namespace

void add_completion(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("completion", "Print the completion script of a shell");
    auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "Which shell")->required()->check(one_of({"bash", "zsh", "fish"}));
    command->footer(
        "Examples:\n"
        "  source <(sare completion bash)\n"
        "  sare completion zsh > ~/.zfunc/_sare\n"
        "  sare completion fish > ~/.config/fish/completions/sare.fish\n"
        "An installed Sare has these files and manual pages in place.");
    command->callback([&app, &chosen, shell] {
        chosen = [&app, shell] {
            show(completion_for(*shell, tree_of(app)));
            return exit_status::good;
        };
    });
}

void add_pages(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("pages", "Write completion scripts and manual pages, to be installed");
    command->group("");  // the build calls it
    auto folder = std::make_shared<std::string>();
    command->add_option("DIR", *folder, "Folder that they are written into")->required();
    command->callback([&app, &chosen, folder] {
        chosen = [&app, folder] {
            write_pages(*folder, tree_of(app));
            return exit_status::good;
        };
    });
}

}  // namespace sare::cli
