// What a service manager (systemd) hands over, and what it wants to be told: sd_listen_fds(3) and
// sd_notify(3), both a few lines.
#pragma once

#include <string_view>

namespace phe::serve::app {

// The first socket that was handed over to this process; -1 where there is none. Asked once: the
// variables are gone afterwards.
int handed_socket();
// As "READY=1". Nothing happens where nobody wants to know.
void notify_manager(std::string_view state);

}  // namespace phe::serve::app
