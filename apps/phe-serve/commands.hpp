// The commands of phe-serve. Each returns the exit code.
#pragma once

#include "settings.hpp"

namespace phe::serve::app {

int serve(const Settings& settings);
int key_command(const Settings& settings);
int export_command(const Settings& settings);
int backup_command(const Settings& settings);
int restore_command(const Settings& settings);
int check_command(const Settings& settings);

}  // namespace phe::serve::app
