# Draws a figure: a panel per problem, a line per policy, its standard error shaded.
#
#   gnuplot -c figure.gp NAME          makes NAME.svg, NAME.png and NAME-narrow.svg (for small screens)
#   gnuplot -c figure.gp NAME FORMS    the named ones of svg, png, pdf, narrow
#
# Above stand the data. Of the figure: title, note, log_rounds, log_regret. Of each panel: heading,
# source (a second line), checkpoints, first_round, last_round, lowest (where a logarithmic axis begins),
# highest (the end of its axis, 0: as the data need) and a note above. Of each policy: label, colour, dash
# and marker; longest is the longest label in characters. $curves has a block per line, with a row "round
# mean error" per checkpoint: panel p has the blocks lines_to[p - 1] to lines_to[p] - 1, and block b shows
# policy_of[b + 1].
set encoding utf8
set pointsize 0.7
set style fill transparent solid 0.2 noborder

# The margins around a panel, in pixels.
titled = strlen(title) > 0 ? 44 : 0
sourced = 0
do for [p = 1:panels] { if (strlen(source[p]) > 0) { sourced = 22 } }
left = 98; right = 36; top = 50 + sourced; bottom = 76; between = 72
begin(p) = p == 1 ? 0 : lines_to[p - 1]

forms = ARGC > 1 ? ARG2 : 'svg png narrow'
do for [form in forms] {
  narrow = form eq 'narrow'
  columns = narrow ? 1 : (panels < 3 ? panels : 3)
  rows = int(ceil(1.0 * panels / columns))
  panel_width = narrow ? 400 : (panels == 1 ? 620 : 410)
  panel_height = narrow ? 300 : (panels == 1 ? 400 : 340)
  width = left + right + columns * panel_width + (columns - 1) * between
  # As many columns of the legend as its longest label leaves room for, in rows of the same length.
  most = int((width - 40) / (78 + 9.5 * longest))
  key_rows = int(ceil(1.0 * policies / (most < 1 ? 1 : most)))
  key_columns = int(ceil(1.0 * policies / key_rows))
  key_height = 26 * key_rows + 34
  height = rows * (top + panel_height + bottom) + key_height + titled
  if (form eq 'png') {
    set terminal pngcairo size width, height font 'Sans,13' enhanced lw 1.8 background '#ffffff'
  }
  if (form eq 'pdf') {
    set terminal pdfcairo size width / 96.0 in, height / 96.0 in font 'Sans,13' fontscale 0.75 enhanced lw 1.8 background '#ffffff'
  }
  if (form eq 'svg' || narrow) {
    set terminal svg size width, height dynamic font 'DejaVu Sans, Helvetica, Arial, sans-serif,14' enhanced lw 1.8 background '#ffffff'
  }
  set output ARG1.(narrow ? '-narrow.svg' : '.'.form)
  set multiplot
  if (titled > 0) {
    set label 3 title at screen 0.5, screen 1 - 26.0 / height center font ',18' textcolor rgb '#111111'
  }
  set border 3 lc rgb '#444444'
  set xtics nomirror out scale 0.6 textcolor rgb '#222222'
  set ytics nomirror out scale 0.6 textcolor rgb '#222222'
  set grid ytics lc rgb '#dddddd' lt 1 lw 0.6
  if (log_rounds) { set logscale x }
  if (log_regret) { set logscale y }
  do for [p = 1:panels] {
    column = (p - 1) % columns
    row = (p - 1) / columns
    x = left + column * (panel_width + between)
    y = height - titled - row * (top + panel_height + bottom) - top
    every = int(ceil(checkpoints[p] / 8.0))  # markers on a line
    set lmargin at screen 1.0 * x / width
    set rmargin at screen 1.0 * (x + panel_width) / width
    set tmargin at screen 1.0 * y / height
    set bmargin at screen 1.0 * (y - panel_height) / height
    set title heading[p] font ',16' offset 0, (sourced > 0 ? 0.6 : 0) textcolor rgb '#111111'
    set label 2 source[p] at graph 0.5, graph 1 + 14.0 / panel_height center font ',12' textcolor rgb '#444444'
    set xlabel 'Round'
    set ylabel column == 0 ? 'Cumulative pseudo-regret' : '' offset -1, 0
    set format x (log_rounds ? '10^{%T}' : last_round[p] > 5000000 ? '%g' : '%.10g')
    set format y '%.10g'
    if (log_rounds) {
      set xrange [first_round[p]:last_round[p]]
    } else {
      set xrange [0:last_round[p]]
    }
    low = log_regret ? lowest[p] : 0
    if (highest[p] > 0) { set yrange [low:highest[p]] } else { set yrange [low:*] }
    if (log_regret && highest[p] < 100 * low) {
      # Powers of ten alone would be one tic or two.
      set ytics () nomirror
      do for [power = -3:12] { do for [step in '1 2 5'] {
        tic = step * 10.0 ** power
        if (tic >= low && tic <= highest[p]) { set ytics add (sprintf('%.10g', tic) tic) }
      } }
    }
    set label 1 above[p] at graph 0.99, 0.95 right font ',12' textcolor rgb '#444444'
    unset key
    plot for [b = begin(p):lines_to[p] - 1] $curves index b \
           using 1:($2 - $3 > low ? $2 - $3 : low):($2 + $3 > low ? $2 + $3 : low) \
           with filledcurves lc rgb colour[policy_of[b + 1]] notitle, \
         for [b = begin(p):lines_to[p] - 1] $curves index b \
           using 1:2 with linespoints lw 1.3 dt dash[policy_of[b + 1]] lc rgb colour[policy_of[b + 1]] \
           pt marker[policy_of[b + 1]] pointinterval every notitle
    unset label 3
  }
  # The legend, and what the lines and shades are, below all panels.
  unset logscale
  set lmargin at screen 0; set rmargin at screen 1
  set tmargin at screen 1.0 * key_height / height; set bmargin at screen 0
  unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
  unset label 1; unset label 2
  set xrange [0:1]; set yrange [0:1]
  cell = 1.0 * (width - 40) / key_columns
  do for [k = 1:policies] {
    x = 20 + cell * ((k - 1) % key_columns)
    y = 1.0 - (14.0 + 26 * ((k - 1) / key_columns)) / key_height
    set arrow k from x / width, y to (x + 44) / width, y nohead lw 1.3 dt dash[k] lc rgb colour[k]
    set label (2 * k + 2) '' at (x + 22) / width, y point pt marker[k] lc rgb colour[k]
    set label (2 * k + 3) label[k] at (x + 54) / width, y left textcolor rgb '#111111'
  }
  set label 1 note at 20.0 / width, 14.0 / key_height left font ',12' textcolor rgb '#444444'
  plot NaN notitle
  unset multiplot
  unset label
  unset arrow
  set output
}
