# Draws a figure: a panel a problem, a line a policy, its standard error shaded.
#
#   gnuplot -c figure.gp NAME      makes NAME.svg, NAME.png and NAME-narrow.svg (for small screens)
#
# Above stand the data: panels, policies, checkpoints, note; for each panel its heading, highest (the
# end of its axis, 0: as the data need) and a note above; for each policy its label, colour, dash and
# marker; and $curves, whose block (panel - 1) * policies + policy - 1 has a line "round mean error" a
# checkpoint.
set encoding utf8
set pointsize 0.7
set format y '%.0f'
set style fill transparent solid 0.2 noborder
every = int(ceil(checkpoints / 8.0))  # markers on a line

# The columns and rows of panels, and the margins around them, in pixels.
left = 98; right = 36; top = 50; bottom = 76; between = 72

do for [form in 'svg png narrow'] {
  narrow = form eq 'narrow'
  columns = narrow ? 1 : panels
  rows = narrow ? panels : 1
  key_columns = narrow ? 2 : policies
  key_rows = int(ceil(1.0 * policies / key_columns))
  key_height = 26 * key_rows + 34
  panel_width = narrow ? 400 : 410
  panel_height = narrow ? 300 : 340
  width = left + right + columns * panel_width + (columns - 1) * between
  height = rows * (top + panel_height + bottom) + key_height
  if (form eq 'png') {
    set terminal pngcairo size width, height font 'Sans,13' enhanced lw 1.8 background '#ffffff'
    set output ARG1.'.png'
  } else {
    set terminal svg size width, height dynamic font 'DejaVu Sans, Helvetica, Arial, sans-serif,14' enhanced lw 1.8 background '#ffffff'
    set output ARG1.(narrow ? '-narrow.svg' : '.svg')
  }
  set multiplot
  set border 3 lc rgb '#444444'
  set xtics nomirror out scale 0.6 textcolor rgb '#222222'
  set ytics nomirror out scale 0.6 textcolor rgb '#222222'
  set grid ytics lc rgb '#dddddd' lt 1 lw 0.6
  set xrange [0:*]
  do for [p = 1:panels] {
    column = (p - 1) % columns
    row = (p - 1) / columns
    x = left + column * (panel_width + between)
    y = height - row * (top + panel_height + bottom) - top
    set lmargin at screen 1.0 * x / width
    set rmargin at screen 1.0 * (x + panel_width) / width
    set tmargin at screen 1.0 * y / height
    set bmargin at screen 1.0 * (y - panel_height) / height
    set title heading[p] font ',16' textcolor rgb '#111111'
    set xlabel 'Round'
    set ylabel column == 0 ? 'Cumulative pseudo-regret' : '' offset -1, 0
    if (highest[p] > 0) { set yrange [0:highest[p]] } else { set yrange [0:*] }
    set label 1 above[p] at graph 0.99, 0.95 right font ',12' textcolor rgb '#444444'
    unset key
    plot for [k = 1:policies] $curves index (p - 1) * policies + k - 1 \
           using 1:($2 - $3):($2 + $3) with filledcurves lc rgb colour[k] notitle, \
         for [k = 1:policies] $curves index (p - 1) * policies + k - 1 \
           using 1:2 with linespoints lw 1.3 dt dash[k] lc rgb colour[k] pt marker[k] \
           pointinterval every notitle
  }
  # The legend, and what the lines and shades are, below all panels.
  set lmargin at screen 0; set rmargin at screen 1
  set tmargin at screen 1.0 * key_height / height; set bmargin at screen 0
  unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
  unset label 1
  set xrange [0:1]; set yrange [0:1]
  cell = 1.0 * (width - 40) / key_columns
  do for [k = 1:policies] {
    x = 20 + cell * ((k - 1) % key_columns)
    y = 1.0 - (14.0 + 26 * ((k - 1) / key_columns)) / key_height
    set arrow k from x / width, y to (x + 44) / width, y nohead lw 1.3 dt dash[k] lc rgb colour[k]
    set label (2 * k) '' at (x + 22) / width, y point pt marker[k] lc rgb colour[k]
    set label (2 * k + 1) label[k] at (x + 54) / width, y left textcolor rgb '#111111'
  }
  set label 1 note at 20.0 / width, 14.0 / key_height left font ',12' textcolor rgb '#444444'
  plot NaN notitle
  unset multiplot
  unset label
  unset arrow
  set output
}
