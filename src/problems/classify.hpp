// Classification as a bandit: each row of a data set is the one context of a round, each class an
// action, with reward 1 for the right one and 0 for the others.
//
// Instance i shows the rows in order i + 1 (problems/row_order.hpp), each once and whatever the
// seed; there is no noise. So what is random in a run is the policy alone, and a policy that is not
// gives the same regret everywhere.
#pragma once

#include <memory>
#include <string>

#include "data/labelled_rows.hpp"
#include "phe/problem.hpp"
#include "phe/registry.hpp"

namespace phe {

class ClassifyProblem final : public Problem {
 public:
  explicit ClassifyProblem(LabelledRows data)
      : data_(std::make_shared<const LabelledRows>(std::move(data))) {}
  // A CSV file (data/table.hpp), plain or gzip; `label` is a name of its header, or a number
  // counted from 1.
  static Result<ClassifyProblem> from_file(const std::string& file, const std::string& label,
                                           Scale scale);

  // Instance 0: no key changes what the rows are.
  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw(StreamKey key) const override {
    return draw_numbered(key, 0);
  }
  [[nodiscard]] Result<std::unique_ptr<const Instance>> draw_numbered(
      StreamKey key, std::uint64_t number) const override;
  [[nodiscard]] std::size_t dimension() const noexcept override { return data_->dimension(); }
  [[nodiscard]] std::size_t arms() const noexcept override { return data_->class_names().size(); }
  // Each row is shown once.
  [[nodiscard]] std::uint64_t most_rounds() const noexcept override { return data_->rows(); }

  [[nodiscard]] const LabelledRows& data() const noexcept { return *data_; }

 private:
  std::shared_ptr<const LabelledRows> data_;
};

ProblemEntry classify_entry();

}  // namespace phe
