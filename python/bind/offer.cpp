#include "offer.hpp"

namespace phe::python {

namespace {

constexpr std::uint64_t most_actions = 1'000'000;

std::string shape_of(const BoundPolicy& policy, bool many) {
  const std::size_t d = policy.dimension();
  const std::string round = policy.kind() == Kind::rows ? fmt::format("K, {}", d)
                                                        : fmt::format("{}{}", d, many ? "" : ",");
  return many ? fmt::format("(n, {}) or, with n given, ({})", round, round)
              : fmt::format("({})", round);
}

}  // namespace

ActionNames::ActionNames(py::handle actions) {
  if (PyIndex_Check(actions.ptr()) != 0 && !py::isinstance<py::array>(actions)) {
    count_ = count(actions, "actions", 1, most_actions);
    return;
  }
  ids_ = counts(actions, "actions");
  count_ = ids_.size();
  if (ids_.empty()) refuse("actions must name at least 1 action, got none");
}

Offer::Offer(const BoundPolicy& policy, py::handle x, py::handle actions, bool many)
    : x_(x, "X"), disjoint_(policy.kind() == Kind::disjoint) {
  check_given(policy, actions, "actions");
  if (disjoint_) names_ = ActionNames(actions);
  const std::size_t d = policy.dimension();
  const std::size_t of_round = disjoint_ ? 1 : 2;
  const bool one_more = many && x_.dimensions() == of_round + 1;
  if (!one_more) x_.require(of_round, shape_of(policy, many));
  if (x_.shape(x_.dimensions() - 1) != d)
    refuse("X must have the shape {}, got {}", shape_of(policy, many), x_.shape_text());
  if (!disjoint_) rows_ = x_.shape(x_.dimensions() - 2);
  if (rows_ == 0) refuse("X must have at least 1 action, got the shape {}", x_.shape_text());
  if (one_more) rounds_ = x_.shape(0);
  round_size_ = rows_ * d;
}

Actions Offer::round(std::size_t i) const noexcept {
  const auto features = x_.values().subspan(many() ? i * round_size_ : 0, round_size_);
  return disjoint_ ? names_.in(features) : Actions::rows(rows_, features);
}

void check_given(const BoundPolicy& policy, py::handle actions, const char* name) {
  const bool wanted = policy.kind() == Kind::disjoint;
  if (wanted && actions.is_none())
    refuse_type("{} must be given to a policy with one model per action", name);
  if (!wanted && !actions.is_none())
    refuse_type("{} must be left out: this policy has not one model per action", name);
}

void refuse_offer(py::handle x, py::handle actions) {
  if (!x.is_none() || !actions.is_none())
    refuse_type("X and actions must be left out: this policy has fixed arms");
}

}  // namespace phe::python
