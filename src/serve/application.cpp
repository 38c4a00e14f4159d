#include "serve/application.hpp"

#include <future>
#include <limits>
#include <utility>

#include "serve/model_file.hpp"
#include "serve/ranking.hpp"
#include "serve/secrets.hpp"
#include "support/error.hpp"

namespace phe::serve {

namespace {

// Lessons between two looks at the clock.
constexpr int lessons_at_a_time = 256;
constexpr std::int64_t retrain_days = 2;

Result<std::string> get_or_make(GroupCommit& commit, EventReader& reader, std::string_view key,
                                const std::function<std::string()>& make) {
  auto value = reader.get(key);
  if (!value) return value.error();
  if (value.value()) return *std::move(value).value();
  std::string made = make();
  const auto done = commit.write_now([&](EventStore& store) { return store.put(key, made); });
  if (!done) return done.error();
  return made;
}

Result<void> store_is_away() {
  return Error{"the store that the nodes share is away, and rewards are not kept meanwhile"};
}

}  // namespace

Application::Application(std::string name, std::filesystem::path file, ApplicationOptions options,
                         Clock& clock)
    : name_(std::move(name)), file_(std::move(file)), options_(std::move(options)), clock_(clock) {}

Result<std::unique_ptr<Application>> Application::open(std::string name,
                                                       const std::filesystem::path& file,
                                                       const ApplicationOptions& options,
                                                       Clock& clock) {
  std::unique_ptr<Application> app(new Application(std::move(name), file, options, clock));
  if (auto done = app->begin(); !done)
    return invalid("application {}: {}", app->name_, done.error().message);
  return app;
}

Result<void> Application::begin() {
  // What others have too need not be on this disk before they go on.
  auto store = open_sqlite_store(file_, options_.redis ? Durability::async : options_.durability);
  if (!store) return store.error();
  store_ = std::move(store).value();
  auto reader = open_sqlite_reader(file_, Database::Access::write);
  if (!reader) return reader.error();
  reader_ = std::move(reader).value();
  commit_ = std::make_unique<GroupCommit>(
      *store_, options_.most_waiting, options_.tick_every,
      [this](EventStore& s) { return tick(s); },
      [this] {
        {
          const std::lock_guard lock(mutex_);
          committed_ = true;
          caught_up_ = false;
        }
        wake_.notify_one();
      });
  if (auto done = check_sharing(); !done) return done;
  if (options_.redis)
    if (auto done = join_others(); !done) return done;
  if (auto done = load(); !done) return done;
  if (auto done = catch_up(*model_); !done) return done;
  if (auto done = publish(); !done) return done;
  learner_ = std::thread([this] { learn_loop(); });
  if (shared_)
    shared_->start(options_.most_waiting, options_.tick_every, [this] {
      static_cast<void>(read_configuration_again());  // again with the next change
      wake_.notify_one();
    });
  return {};
}

// A log that follows others must not go its own way, nor the other way round.
Result<void> Application::check_sharing() {
  const auto origin = reader_->get("origin");
  if (!origin) return origin.error();
  const auto seed = reader_->get("seed");
  if (!seed) return seed.error();
  if (origin.value() && !options_.redis)
    return invalid("{} is the copy of a shared log: start with --store", file_.string());
  if (seed.value() && !origin.value() && options_.redis)
    return invalid("{} is a log of its own: a shared one needs a folder without it",
                   file_.string());
  return {};
}

Result<void> Application::join_others() {
  auto reader = open_sqlite_reader(file_, Database::Access::write);
  if (!reader) return reader.error();
  const std::string dimension = std::to_string(options_.dimension);
  auto shared = SharedLog::open(*options_.redis, name_, file_, options_.durability,
                                {*store_, *commit_, std::move(reader).value()}, clock_,
                                {{"origin", random_uuid()},
                                 {"seed", random_key(8)},
                                 {"secret", random_key(32)},
                                 {"dimension", dimension},
                                 {"configuration", to_text(first_configuration())}});
  if (!shared) return shared.error();
  shared_ = std::move(shared).value();
  adopted_ = shared_->models().done;
  const auto agreed = reader_->get("dimension");
  if (!agreed) return agreed.error();
  if (agreed.value() != dimension)
    return invalid("the nodes of this application have dimension {}, got {}",
                   agreed.value().value_or("unknown"), dimension);
  return {};
}

Configuration Application::first_configuration() const {
  Configuration fresh;
  fresh.policy = options_.policy;
  fresh.policy_name = options_.policy.substr(0, options_.policy.find(':'));
  fresh.edited = clock_.now();
  return fresh;
}

Result<void> Application::read_configuration_again() {
  // A reader of its own: this is called by the thread that follows.
  auto reader = this->reader();
  if (!reader) return reader.error();
  const auto text = reader.value()->get("configuration");
  if (!text) return text.error();
  const auto configuration = read_configuration(text.value().value_or(""));
  if (!configuration) return configuration.error();
  configuration_ = std::make_shared<const Configuration>(configuration.value());
  return {};
}

Result<void> Application::load() {
  const auto seed = get_or_make(*commit_, *reader_, "seed", [] { return random_key(8); });
  if (!seed) return seed.error();
  seed_ = StreamKey(0).with(seed.value()).value();
  const auto secret = get_or_make(*commit_, *reader_, "secret", [] { return random_key(32); });
  if (!secret) return secret.error();
  secret_ = secret.value();
  const auto text = get_or_make(*commit_, *reader_, "configuration",
                                [&] { return to_text(first_configuration()); });
  if (!text) return text.error();
  auto configuration = read_configuration(text.value());
  if (!configuration) return configuration.error();
  configuration_ = std::make_shared<const Configuration>(configuration.value());

  const auto counts = reader_->counts();
  if (!counts) return counts.error();
  if (!shared_) clock_.not_before(counts->last_time);
  return adopt();
}

Result<void> Application::adopt() {
  const std::int64_t models = shared_ ? shared_->models().done : 0;
  const auto found = reader_->model();
  if (!found) return found.error();
  const auto& saved = found.value();
  const bool usable = saved && saved->dimension == options_.dimension;
  auto model = Model::create(usable ? saved->policy : configuration()->policy, options_.dimension);
  if (!model) return model.error();
  if (usable)
    if (auto done = model->load(*saved); !done) return done;
  model_ = std::make_unique<Model>(std::move(model).value());
  created_ = usable ? saved->created : clock_.now();
  modified_ = usable ? saved->modified : created_;
  saved_lessons_ = usable ? saved->lessons : -1;
  adopted_ = models;
  return {};
}

Application::~Application() {
  if (!learner_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  learner_.join();
  if (shared_) {
    shared_->stop();  // sends what was accepted
    if (shared_->models().done != adopted_ && !adopt()) return;
  }
  commit_.reset();
  // Nobody else writes now. What fails here is learnt again from the log at the next start.
  if (catch_up(*model_) && model_->lessons() != saved_lessons_) static_cast<void>(save_model());
}

RewardRules Application::rules() const {
  const auto c = configuration();
  return {c->aggregation, c->default_reward};
}

Application::Submission Application::rank(std::string body, Answered answered) {
  thread_local RankRequestParser parser;
  thread_local Ranker ranker;
  const auto parsed = parser.parse(body, options_.limits);
  if (!parsed) return {Accepted::invalid, parsed.error().message};
  const RankRequest& request = *parsed.value();

  struct Call {
    std::string id, request;
    Ranking ranking;
    NewEvent event;
    std::string answer;
    Answered answered;
  };
  auto call = std::make_shared<Call>();
  call->id = request.event_id ? std::string(*request.event_id) : random_uuid();
  const auto model = published_.load();
  const auto configuration = configuration_.load();
  auto ranking = ranker.rank({request, call->id, *model, options_.dimension,
                              configuration->exploration, configuration->mode, StreamKey(seed_)});
  if (!ranking) return {Accepted::invalid, ranking.error().message};
  call->ranking = std::move(ranking).value();
  const std::int64_t now = clock_.now();
  call->event = {.id = call->id,
                 .time = now,
                 .closes = now + configuration->reward_wait,
                 .mode = configuration->mode,
                 .active = !request.deferred,
                 .drawn = call->ranking.drawn,
                 .shown = call->ranking.shown,
                 .request = {},
                 .answer = call->ranking.answer};
  call->request = std::move(body);
  call->event.request = call->request;
  call->answered = std::move(answered);
  const bool accepted =
      calls().submit({[call](EventStore& store) -> Result<void> {
                        const auto fate = store.add(call->event, call->answer);
                        return fate ? Result<void>() : Result<void>(fate.error());
                      },
                      [this, call](const Result<void>& done) {
                        if (done)
                          activity_.decided(clock_.now());
                        else
                          activity_.refused(clock_.now());
                        call->answered(done ? Result<std::string>(std::move(call->answer))
                                            : Result<std::string>(done.error()));
                      }});
  return {accepted ? Accepted::yes : Accepted::overloaded};
}

bool Application::reward(std::string event, double value, std::string call, Done done) {
  if (shared_ && shared_->refuses_reward()) return done(store_is_away()), true;
  // What may be sent twice must be known by something.
  if (shared_ && call.empty()) call = random_uuid();
  const auto fate = std::make_shared<Fate>();  // that of the last attempt to write it
  return calls().submit({[this, event = std::move(event), value, call = std::move(call),
                          fate](EventStore& store) -> Result<void> {
                           const auto became =
                               store.reward(event, value, call, clock_.now(), rules());
                           if (!became) return became.error();
                           *fate = became.value();
                           return {};
                         },
                         [this, fate, done = std::move(done)](const Result<void>& stored) {
                           if (stored)
                             activity_.rewarded(*fate, clock_.now());
                           else
                             activity_.refused(clock_.now());
                           done(stored);
                         }});
}

bool Application::activate(std::string event, Done done) {
  if (shared_ && shared_->refuses_reward()) return done(store_is_away()), true;
  return calls().submit({[this, event = std::move(event)](EventStore& store) {
                           const auto fate = store.activate(event, clock_.now(), rules());
                           return fate ? Result<void>() : Result<void>(fate.error());
                         },
                         std::move(done)});
}

// Settles events whose time is over and retires old ones, a few at a time: answers wait for it.
Result<void> Application::tick(EventStore& store) {
  if (!configuration()) return {};  // it begins
  const std::int64_t now = clock_.now();
  if (!options_.redis)  // else by the time of the stream
    if (const auto settled = store.settle(now, rules(), 2'000); !settled) return settled.error();
  const std::int64_t days = configuration()->retention_days;
  if (days < 0 || now - retired_at_ < 10 * second) return {};
  const auto retired = store.retire(now - days * day, 2'000);
  if (!retired) return retired.error();
  if (retired.value() == 0) retired_at_ = now;
  return {};
}

Result<void> Application::catch_up(Model& model, std::int64_t most) {
  for (std::int64_t learnt = 0; learnt < most;) {
    const auto count = reader_->lessons_after(
        model.lessons(), lessons_at_a_time,
        [&](const Lesson& lesson) { static_cast<void>(model.learn(lesson)); });
    if (!count) return count.error();
    if (count.value() == 0) return {};
    learnt += count.value();
  }
  return {};
}

Result<void> Application::publish() {
  auto model = model_->published(seed_);
  if (!model) return model.error();
  published_ = std::move(model).value();
  published_at_ = clock_.now();
  return {};
}

Result<StoredModel> Application::stored(const Model& model) const {
  auto state = model.state();
  if (!state) return state.error();
  return StoredModel{
      model.lessons(),    model.learnt(),          created_, clock_.now(), model.spec(),
      options_.dimension, std::move(state).value()};
}

Result<void> Application::save_model() {
  const auto model = stored(*model_);
  if (!model) return model.error();
  modified_ = model->modified;
  const auto write = [&](EventStore& store) -> Result<void> {
    // Another model has taken its place, and is to be adopted first.
    if (shared_ && shared_->models().begun != adopted_) return {};
    return store.put_model(model.value());
  };
  Result<void> done;
  if (commit_) {
    done = commit_->write_now(write);
  } else {  // at the end, when nobody else writes
    done = store_->begin();
    if (done) done = write(*store_);
    if (done) done = store_->commit();
  }
  saved_at_ = clock_.now();
  if (done) saved_lessons_ = model_->lessons();
  return done;
}

void Application::learn_loop() {
  for (;;) {
    std::vector<std::function<void()>> work;
    {
      std::unique_lock lock(mutex_);
      const std::int64_t every = std::max(configuration()->export_every, std::int64_t{1});
      wake_.wait_for(lock, std::chrono::milliseconds(std::min(every, second)),
                     [&] { return stopping_ || committed_ || !work_.empty(); });
      if (stopping_) return;
      committed_ = false;
      std::swap(work, work_);
    }
    // What fails here is tried again the next time round.
    bool failed = false;
    if (shared_ && shared_->models().done != adopted_) failed = !adopt() || !publish();
    failed |= !catch_up(*model_, 4096);
    for (const auto& job : work) job();
    const std::int64_t now = clock_.now();
    const bool news = published_.load()->lessons() != model_->lessons() && model_->learnt() > 0;
    if (news && now - published_at_ >= configuration()->export_every) failed |= !publish();
    if (model_->lessons() != saved_lessons_ && now - saved_at_ >= options_.save_every)
      failed |= !save_model();
    if (now - tidied_at_ >= second) {
      failed |= !reader_->tidy();
      tidied_at_ = now;
    }
    {
      const std::lock_guard lock(mutex_);
      caught_up_ = !committed_ && !failed &&
                   (model_->learnt() == 0 || published_.load()->lessons() == model_->lessons());
    }
    idle_.notify_all();
  }
}

void Application::wait_for_learning() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return caught_up_; });
}

Result<void> Application::in_learner(std::function<Result<void>()> work) {
  std::promise<Result<void>> promise;
  {
    const std::lock_guard lock(mutex_);
    work_.push_back([&] { promise.set_value(work()); });
  }
  wake_.notify_one();
  return promise.get_future().get();
}

Result<void> Application::write_now(std::function<Result<void>(EventStore&)> write) {
  return shared_ ? shared_->write_now(std::move(write)) : commit_->write_now(std::move(write));
}

Result<void> Application::put(std::string_view key, std::string_view value) {
  return write_now([&](EventStore& store) { return store.put(key, value); });
}

Result<void> Application::remove(std::string_view key) {
  return write_now([&](EventStore& store) { return store.remove(key); });
}

Result<void> Application::configure(const Configuration& configuration) {
  if (auto done = put("configuration", to_text(configuration)); !done) return done;
  configuration_ = std::make_shared<const Configuration>(configuration);
  wake_.notify_one();
  return {};
}

// Precondition: in the thread that learns. Saved before it is published: what ranks survives.
Result<void> Application::replace_model(const Model& model, const Configuration* configuration) {
  auto made = stored(model);
  if (!made) return made.error();
  made->created = made->modified;
  const auto done = write_now([&](EventStore& store) {
    auto put = store.put_model(made.value());
    return put && configuration ? store.put("configuration", to_text(*configuration)) : put;
  });
  if (!done) return done;
  if (configuration) configuration_ = std::make_shared<const Configuration>(*configuration);
  if (auto adopted = adopt(); !adopted) return adopted;
  if (auto learnt = catch_up(*model_); !learnt) return learnt;
  return publish();
}

Result<void> Application::set_policy(const std::string& name, const std::string& spec) {
  auto model = Model::create(spec, options_.dimension);
  if (!model) return model.error();
  return in_learner([&]() -> Result<void> {
    Configuration changed = *configuration();
    changed.policy_name = name;
    changed.policy = spec;
    changed.edited = clock_.now();
    const auto from = reader_->last_lesson_before(clock_.now() - retrain_days * day);
    if (!from) return from.error();
    model->begin_after(from.value());
    if (auto done = catch_up(model.value()); !done) return done;
    return replace_model(model.value(), &changed);
  });
}

Result<void> Application::reset_model() {
  auto model = Model::create(configuration()->policy, options_.dimension);
  if (!model) return model.error();
  return in_learner([&] {
    model->begin_after(model_->lessons());
    return replace_model(model.value());
  });
}

Result<std::string> Application::export_model() {
  std::string bytes;
  auto done = in_learner([&]() -> Result<void> {
    auto state = model_->state();
    if (!state) return state.error();
    bytes = write_model_file(
        {model_->spec(), model_->dimension(), model_->learnt(), std::move(state).value()}, secret_);
    return {};
  });
  if (!done) return done.error();
  return bytes;
}

Application::Imported Application::import_model(std::string_view bytes) {
  const auto file = read_model_file(bytes);
  if (!file) return {Import::bad_format, file.error().message};
  if (!signed_by(bytes, secret_))
    return {Import::bad_signature, "the model was not signed by this application"};
  if (file->policy != configuration()->policy || file->dimension != options_.dimension)
    return {
        Import::bad_format,
        fmt::format("the model is of policy {} with {} numbers, this application has {} with {}",
                    file->policy, file->dimension, configuration()->policy, options_.dimension)};
  auto model = Model::create(file->policy, file->dimension);
  if (!model) return {Import::bad_format, model.error().message};
  const auto done = in_learner([&]() -> Result<void> {
    const StoredModel stored{.lessons = model_->lessons(),
                             .learnt = file->learnt,
                             .policy = {},
                             .dimension = 0,
                             .state = file->state};
    if (auto loaded = model->load(stored); !loaded) return loaded;
    return replace_model(model.value());
  });
  if (!done) return {Import::bad_format, done.error().message};
  return {};
}

Result<void> Application::forget_log() {
  // What the model has learnt stays, so it is saved in the same breath.
  return in_learner([&]() -> Result<void> {
    if (auto done = save_model(); !done) return done;
    return write_now([](EventStore& store) { return store.forget_log(); });
  });
}

Result<Application::Properties> Application::properties() {
  Properties properties;
  auto done = in_learner([&]() -> Result<void> {
    auto counts = reader_->counts();
    if (!counts) return counts.error();
    properties = {created_, modified_, model_->learnt(), model_->lessons(), counts.value()};
    return {};
  });
  if (!done) return done.error();
  return properties;
}

}  // namespace phe::serve
