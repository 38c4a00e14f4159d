# Regret of a results folder of docs/figures/nonlinear.toml, a panel per problem. Needs the variables
# folder and figure.
set terminal pngcairo size 1000,450 font "sans,12"
set output figure
set datafile separator comma
set key top left reverse Left
set xtics 1000
set yrange [0:1100]
set xlabel "round"
set ylabel "regret"
data = folder . "/regret.csv"
# A policy is known by how its name begins and by a key that only it has.
is(text, name, key) = strstrt(text, name) == 1 && strstrt(text, key) > 0
steps(text) = strstrt(text, "steps") > 0
curve(name, key, wanted) = (is(stringcolumn(4), name, key) && steps(stringcolumn(1)) == wanted) ? column(7) : NaN
set multiplot layout 1,2
do for [panel=0:1] {
  set title panel == 0 ? "waves" : "steps"
  plot data using 5:(curve("linphe", "linphe", panel)) with lines lw 2 lc rgb "#d55e00" title "LinPHE", \
       data using 5:(curve("logphe", "logphe", panel)) with lines lw 2 lc rgb "#999999" title "LogPHE", \
       data using 5:(curve("rffphe", "rffphe", panel)) with lines lw 2 lc rgb "#0072b2" title "PHE, Fourier features", \
       data using 5:(curve("xgbphe", "a=0.2", panel)) with lines lw 2 lc rgb "#009e73" title "PHE, boosted trees, a = 0.2", \
       data using 5:(curve("xgbphe", "a=1", panel)) with lines lw 2 dt 2 lc rgb "#009e73" title "PHE, boosted trees, a = 1"
}
unset multiplot
