#include "problems/classify.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "problems/row_order.hpp"
#include "support/error.hpp"

namespace phe {

namespace {

class ClassifyInstance final : public ContextInstance {
 public:
  ClassifyInstance(std::shared_ptr<const LabelledRows> data, std::vector<std::uint32_t> order)
      : ContextInstance(data->dimension(), true),
        data_(std::move(data)),
        order_(std::move(order)) {}

  void offer(std::uint64_t round, ContextRound& offered) const override {
    assert(round < order_.size());
    const std::uint32_t row = order_[round];
    const auto x = data_->features(row);
    offered.features.assign(x.begin(), x.end());
    offered.means.assign(data_->class_names().size(), 0.0);
    offered.means[data_->class_of(row)] = 1.0;
  }
  [[nodiscard]] double reward(std::uint64_t /*round*/, ArmId /*action*/,
                              double mean) const override {
    return mean;
  }
  [[nodiscard]] bool binary_rewards() const noexcept override { return true; }

 private:
  std::shared_ptr<const LabelledRows> data_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Result<ClassifyProblem> ClassifyProblem::from_file(const std::string& file,
                                                   const std::string& label, Scale scale) {
  const auto table = TextTable::read(file, label);
  if (!table) return table.error();
  if (table->rows() > std::numeric_limits<std::uint32_t>::max())
    return invalid("{}: there can be at most {} rows, got {}", file,
                   std::numeric_limits<std::uint32_t>::max(), table->rows());
  const auto column = table->column("label", label);
  if (!column) return column.error();
  auto data = LabelledRows::create(table.value(), column.value(), scale);
  if (!data) return data.error();
  return ClassifyProblem(std::move(data).value());
}

Result<std::unique_ptr<const Instance>> ClassifyProblem::draw_numbered(StreamKey /*key*/,
                                                                       std::uint64_t number) const {
  return std::make_unique<const ClassifyInstance>(
      data_, row_order(static_cast<std::uint32_t>(data_->rows()), number + 1));
}

ProblemEntry classify_entry() {
  return {
      "classify",
      "contexts: the rows of a data set, one a round; each class is an arm, the right one pays 1",
      {{"file", "", "CSV file, plain or gzip, of at least as many rows as there are rounds", true},
       {"label", "", "column of the classes: a name of the header, or a number from 1"},
       {"scale", "unit",
        "features over the whole set: unit (to [0, 1]), standard (mean 0, sd 1) or none"}},
      [](Parameters& p) -> Result<std::unique_ptr<const Problem>> {
        const auto scale = static_cast<Scale>(p.choice("scale", {"unit", "standard", "none"}));
        if (!p.error()) return p.error().error();
        if (!p.given("file") || !p.given("label"))
          return invalid(
              "problem classify: file and label must be given, as in "
              "classify:file=data.csv,label=5");
        auto problem = ClassifyProblem::from_file(p.text("file"), p.text("label"), scale);
        if (!problem) return invalid("problem classify: {}", problem.error().message);
        return std::make_unique<const ClassifyProblem>(std::move(problem).value());
      }};
}

}  // namespace phe
