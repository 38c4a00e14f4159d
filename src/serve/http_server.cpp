#include "serve/http_server.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/faults.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Code = boost::system::error_code;

namespace {

using TlsContext = asio::ssl::context;
using Plain = tcp::socket;
using Tls = asio::ssl::stream<tcp::socket>;

std::int64_t steady_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Result<std::shared_ptr<TlsContext>> make_tls(const HttpOptions& options) {
  auto context = std::make_shared<TlsContext>(TlsContext::tls_server);
  Code failed;
  context->set_options(TlsContext::default_workarounds | TlsContext::no_sslv2 |
                           TlsContext::no_sslv3 | TlsContext::no_tlsv1 | TlsContext::no_tlsv1_1,
                       failed);
  if (!failed) context->use_certificate_chain_file(options.certificate.string(), failed);
  if (failed) return invalid("certificate {}: {}", options.certificate.string(), failed.message());
  context->use_private_key_file(options.private_key.string(), TlsContext::pem, failed);
  if (failed) return invalid("private key {}: {}", options.private_key.string(), failed.message());
  if (SSL_CTX_check_private_key(context->native_handle()) != 1)
    return invalid("private key {}: it does not belong to the certificate {}",
                   options.private_key.string(), options.certificate.string());
  return context;
}

// Room for one from the start: Beast reads as much at a time as there is room, else 512 bytes.
constexpr std::size_t usual_request = 8192;
constexpr std::int64_t idle_when_draining = 1'000;  // milliseconds

// What all threads share.
struct Shared {
  HttpOptions options;
  Handler handler;
  std::atomic<std::shared_ptr<TlsContext>> tls;
  std::atomic<std::size_t> connections = 0;
  std::atomic<bool> draining = false;
};

class Connection;

// One thread: its sockets, its timer, its connections.
struct Loop {
  explicit Loop(Shared& s) : shared(s), acceptor(context), sweep_timer(context) {}

  Shared& shared;
  std::list<Connection*> connections;  // before the context: they leave it when that goes
  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer sweep_timer;

  void accept();
  void sweep();
  void stop_accepting();
  void end_idle();
};

Method method_of(http::verb verb) {
  switch (verb) {
    case http::verb::get:
      return Method::get;
    case http::verb::put:
      return Method::put;
    case http::verb::post:
      return Method::post;
    case http::verb::delete_:
      return Method::remove;
    case http::verb::options:
      return Method::options;
    default:
      return Method::other;
  }
}

std::string header(const http::request<http::string_body>& message, std::string_view name) {
  const auto at = message.find(beast::string_view(name.data(), name.size()));
  return at == message.end() ? std::string() : std::string(at->value());
}

std::string key_of(const http::request<http::string_body>& message) {
  std::string key = header(message, "Ocp-Apim-Subscription-Key");
  if (!key.empty()) return key;
  constexpr std::string_view bearer = "Bearer ";
  const std::string authorization = header(message, "Authorization");
  return authorization.starts_with(bearer) ? authorization.substr(bearer.size()) : std::string();
}

Request to_request(http::request<http::string_body>&& message) {
  Request request;
  request.method = method_of(message.method());
  request.target = std::string(message.target());
  request.key = key_of(message);
  request.call = header(message, "x-ms-client-request-id");
  request.origin = header(message, "Origin");
  request.body = std::move(message.body());
  return request;
}

// The whole answer as bytes: cheaper than to have them put together by a serializer.
void write_response(const Response& response, std::string_view origin, bool keep_alive,
                    std::string& out) {
  const auto reason = http::obsolete_reason(http::int_to_status(unsigned(response.status)));
  out.clear();
  const auto line = [&out](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  };
  out.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  out.append(reason.data(), reason.size()).append("\r\n");
  if (response.status != 204) {
    line("Content-Type", response.content_type);
    line("Content-Length", std::to_string(response.body.size()));
  }
  if (!keep_alive) line("Connection", "close");
  if (!response.error_code.empty()) line("x-ms-error-code", response.error_code);
  if (!response.location.empty()) line("Location", response.location);
  if (!response.original_url.empty()) line("x-ms-original-url", response.original_url);
  if (response.retry_after > 0) line("Retry-After", std::to_string(response.retry_after));
  if (!origin.empty()) {
    line("Access-Control-Allow-Origin", origin);
    line("Access-Control-Expose-Headers", "x-ms-error-code, Retry-After, Location");
  }
  if (response.preflight && !origin.empty()) {
    line("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
    line("Access-Control-Allow-Headers",
         "content-type, ocp-apim-subscription-key, authorization, x-ms-command-name, "
         "x-ms-client-request-id, x-ms-useragent");
    line("Access-Control-Max-Age", "86400");
  }
  out.append(response.headers);
  out.append("X-Content-Type-Options: nosniff\r\n\r\n");
  out.append(response.body);
}

// What the sweep sees of a connection, whatever its stream.
class Connection {
 public:
  virtual ~Connection() = default;
  // Ends the connection if it takes too long.
  virtual void check(std::int64_t now) = 0;
  // Ends the connection if it has waited for a request for a while.
  virtual void end_if_idle(std::int64_t now) = 0;
};

template <class Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  Session(Stream stream, std::shared_ptr<TlsContext> tls, Loop& loop)
      : loop_(loop),
        options_(loop.shared.options),
        tls_(std::move(tls)),
        stream_(std::move(stream)) {
    buffer_.reserve(usual_request);
    place_ = loop_.connections.insert(loop_.connections.end(), this);
    ++loop_.shared.connections;
  }
  ~Session() override {
    loop_.connections.erase(place_);
    --loop_.shared.connections;
  }

  void start() {
    since_ = steady_milliseconds();
    if constexpr (std::is_same_v<Stream, Tls>) {
      state_ = State::shaking_hands;
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](Code failed) {
                                if (!failed) self->read();
                              });
    } else {
      read();
    }
  }

  void check(std::int64_t now) override {
    std::int64_t most = options_.write_timeout;
    if (state_ == State::handling) return;  // we are the slow ones
    if (state_ == State::reading || state_ == State::shaking_hands) {
      most = options_.read_timeout;
      if (state_ == State::reading && !begun()) most = options_.idle_timeout;
      if (begun() && begun_ == 0) begun_ = now;
      if (begun_ != 0 && now - begun_ < most) return;
    }
    if (now - since_ >= most) close();
  }

  void end_if_idle(std::int64_t now) override {
    if (state_ != State::reading || begun() || now - since_ < idle_when_draining) return;
    Code failed;
    if (socket().available(failed) == 0) close();  // else a request is on its way
  }

 private:
  enum class State { shaking_hands, reading, handling, writing };

  [[nodiscard]] bool begun() const {
    return buffer_.size() > 0 || (parser_ && parser_->got_some());
  }
  tcp::socket& socket() {
    if constexpr (std::is_same_v<Stream, Tls>)
      return stream_.next_layer();
    else
      return stream_;
  }
  void close() {
    Code ignored;
    socket().close(ignored);
  }

  void read() {
    state_ = State::reading;
    since_ = steady_milliseconds();
    begun_ = 0;
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(options_.most_header));
    parser_->body_limit(options_.most_body);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](Code failed, std::size_t) { self->on_read(failed); });
  }

  void on_read(Code failed) {
    state_ = State::handling;
    keep_alive_ = parser_->is_header_done() && parser_->keep_alive() && !failed;
    origin_ = options_.allow_origin;
    if (failed == http::error::body_limit)
      return respond(refuse(Fault::too_large, "the body can have at most " +
                                                  std::to_string(options_.most_body) + " bytes"));
    if (failed == http::error::header_limit)
      return respond(refuse(Fault::bad_request, "the header is too long"));
    if (failed.category() == http::make_error_code(http::error::bad_method).category() &&
        failed != http::error::end_of_stream && failed != http::error::partial_message)
      return respond(refuse(Fault::bad_request, "this is not HTTP/1.1: " + failed.message()));
    if (failed) return;  // the client has gone
    loop_.shared.handler(to_request(parser_->release()), [self = this->shared_from_this()](
                                                             Response&& response) mutable {
      // The caller may be any thread; the connection lives in this one.
      auto& context = self->loop_.context;
      if (context.get_executor().running_in_this_thread()) return self->respond(response);
      asio::post(context, [self = std::move(self), response = std::move(response)] {
        self->respond(response);
      });
    });
  }

  void respond(const Response& response) {
    state_ = State::writing;
    since_ = steady_milliseconds();
    if (loop_.shared.draining) keep_alive_ = false;
    write_response(response, origin_, keep_alive_, out_);
    asio::async_write(stream_, asio::buffer(out_),
                      [self = this->shared_from_this()](Code failed, std::size_t) {
                        if (!failed) self->on_written();
                      });
  }

  void on_written() {
    if (keep_alive_) return read();
    if constexpr (std::is_same_v<Stream, Tls>) {
      stream_.async_shutdown([self = this->shared_from_this()](Code) {});
    } else {
      Code ignored;
      socket().shutdown(tcp::socket::shutdown_send, ignored);
      linger();
    }
  }

  // Reads what still comes, so that the client gets our answer and not a reset.
  void linger() {
    state_ = State::writing;
    buffer_.clear();
    socket().async_read_some(buffer_.prepare(4096),
                             [self = this->shared_from_this()](Code failed, std::size_t) {
                               if (!failed) self->linger();
                             });
  }

  Loop& loop_;
  const HttpOptions& options_;
  std::shared_ptr<TlsContext> tls_;  // outlives the stream
  Stream stream_;
  std::list<Connection*>::iterator place_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string out_;
  std::string_view origin_;
  State state_ = State::reading;
  std::int64_t since_ = 0;  // the state has lasted
  std::int64_t begun_ = 0;  // when a request was first seen to have begun; 0: not yet
  bool keep_alive_ = true;
};

// One too many: told so, without a look at what it wants.
void turn_away(tcp::socket socket, const HttpOptions& options) {
  std::string out;
  write_response(refuse(Fault::overloaded, "too many connections"), options.allow_origin, false,
                 out);
  Code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(out), ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Loop::accept() {
  acceptor.async_accept([this](Code failed, tcp::socket socket) {
    if (!failed) {  // also what came in the moment before the acceptor was closed
      Code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      const auto tls = shared.tls.load();
      if (shared.connections >= shared.options.most_connections)
        turn_away(std::move(socket), shared.options);
      else if (tls)
        std::make_shared<Session<Tls>>(Tls(std::move(socket), *tls), tls, *this)->start();
      else
        std::make_shared<Session<Plain>>(std::move(socket), nullptr, *this)->start();
    } else if (failed == asio::error::no_descriptors) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // until some are closed
    }
    if (acceptor.is_open()) accept();
  });
}

void Loop::sweep() {
  sweep_timer.expires_after(std::chrono::milliseconds(500));
  sweep_timer.async_wait([this](Code failed) {
    if (failed) return;
    const std::int64_t now = steady_milliseconds();
    for (Connection* connection : connections) {
      connection->check(now);
    }
    sweep();
  });
}

void Loop::stop_accepting() {
  Code ignored;
  acceptor.close(ignored);
}

void Loop::end_idle() {
  const std::int64_t now = steady_milliseconds();
  for (Connection* connection : connections) connection->end_if_idle(now);
}

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

Result<void> listen(Loop& loop, const HttpOptions& options, std::uint16_t port) {
  Code failed;
  const auto address = asio::ip::make_address(options.address, failed);
  if (failed) return invalid("address {}: {}", options.address, failed.message());
  const tcp::endpoint endpoint(address, port);
  loop.acceptor.open(endpoint.protocol(), failed);
  if (!failed) loop.acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) loop.acceptor.set_option(ReusePort(true), failed);
  if (!failed) loop.acceptor.bind(endpoint, failed);
  if (!failed) loop.acceptor.listen(4096, failed);
  if (failed) return invalid("cannot listen on {}:{}: {}", options.address, port, failed.message());
  return {};
}

// A socket of its own for a loop: several accept what one queue has.
Result<void> take_over(Loop& loop, int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  int listens = 0;
  socklen_t length = sizeof listens;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || listens == 0 ||
      (address.ss_family != AF_INET && address.ss_family != AF_INET6))
    return invalid("the socket that was handed over does not listen for TCP");
  Code failed;
  loop.acceptor.assign(address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), ::dup(socket),
                       failed);
  if (failed) return invalid("the socket that was handed over: {}", failed.message());
  return {};
}

}  // namespace

Result<std::int64_t> certificate_end(const HttpOptions& options) {
  const auto tls = make_tls(options);
  if (!tls) return tls.error();
  const X509* certificate = SSL_CTX_get0_certificate(tls.value()->native_handle());
  std::tm time{};
  if (certificate == nullptr || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) != 1)
    return invalid("certificate {}: it has no end", options.certificate.string());
  return std::int64_t{timegm(&time)} * 1000;
}

struct HttpServer::State {
  Shared shared;
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<std::thread> threads;
  std::uint16_t port = 0;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpOptions& options, Handler handler) {
  auto state = std::make_unique<State>();
  state->shared.options = options;
  state->shared.handler = std::move(handler);
  if (!options.certificate.empty()) {
    auto tls = make_tls(options);
    if (!tls) return tls.error();
    state->shared.tls = std::move(tls).value();
  }
  state->port = options.port;
  for (unsigned i = 0; i < std::max(options.threads, 1U); ++i) {
    Loop& loop = *state->loops.emplace_back(std::make_unique<Loop>(state->shared));
    if (auto done = options.socket >= 0 ? take_over(loop, options.socket)
                                        : listen(loop, options, state->port);
        !done)
      return done.error();
    state->port = loop.acceptor.local_endpoint().port();
  }
  for (auto& loop : state->loops) {
    loop->accept();
    loop->sweep();
    state->threads.emplace_back([&context = loop->context] { context.run(); });
  }
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::~HttpServer() { stop(); }

void HttpServer::stop() {
  for (auto& loop : state_->loops) loop->context.stop();
  for (auto& thread : state_->threads) thread.join();
  state_->threads.clear();
}

std::uint16_t HttpServer::port() const noexcept { return state_->port; }
std::size_t HttpServer::connections() const noexcept { return state_->shared.connections; }

Result<void> HttpServer::reload_certificate() {
  if (state_->shared.options.certificate.empty()) return {};
  auto tls = make_tls(state_->shared.options);
  if (!tls) return tls.error();
  state_->shared.tls = std::move(tls).value();
  return {};
}

void HttpServer::drain(std::int64_t most) {
  state_->shared.draining = true;
  for (auto& loop : state_->loops)
    asio::post(loop->context, [&loop = *loop] { loop.stop_accepting(); });
  const std::int64_t end = steady_milliseconds() + most;
  for (int i = 0; connections() > 0 && steady_milliseconds() < end; ++i) {
    if (i % 10 == 0)
      for (auto& loop : state_->loops)
        asio::post(loop->context, [&loop = *loop] { loop.end_idle(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace phe::serve
