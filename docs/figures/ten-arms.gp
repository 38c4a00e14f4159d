# Regret of a results folder of docs/figures/ten-arms.toml, with the line below which no policy that is
# good on every instance can stay for long (Lai and Robbins 1985):
#   sum_i gap_i / kl(mu_i, mu_1) ln t = 9 * 0.1 / kl(0.8, 0.9) ln t.
# Needs the variables folder and figure.
kl(p, q) = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
slope = 9 * 0.1 / kl(0.8, 0.9)
set terminal pngcairo size 900,600 font "sans,13"
set output figure
set datafile separator comma
set logscale x
set xrange [10:10000]
set yrange [0:600]
set key top left reverse Left
set xlabel "round"
set ylabel "regret"
set title "Ten Bernoulli arms: one of mean 0.9, nine of 0.8"
policies = "phe:a=2.1 phe:a=1.1 giro ucb1 klucb betats"
data = folder . "/regret.csv"
array colours[6] = ["#e69f00", "#d55e00", "#999999", "#56b4e9", "#0072b2", "#009e73"]
plot for [i=1:6] data using 5:(stringcolumn(4) eq word(policies, i) ? column(7) : NaN) \
       with lines linewidth 2 linecolor rgb colours[i] title word(policies, i), \
     slope * log(x) with lines dashtype 2 linewidth 2 linecolor rgb "black" \
       title sprintf("Lai and Robbins: %.1f ln t", slope)
