// A chair, and a lamp and a vase on a side table, in the corner of a living room.
#version 3.7;
#include "common.inc"
#include "home.inc"
#include "plants.inc"

camera { location <-20, 125, -330> look_at <4, 66, 0> angle 38 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere { pigment { gradient y color_map { [0 srgb <0.6, 0.58, 0.55>] [1 srgb <0.85, 0.88, 0.92>] } } }
  WindowLight(<-330, 260, -260>, <0, 50, 0>, 170, srgb <1, 0.96, 0.9> * 1.15)
#end

Setting(object {
  Boards(13, 600, 46, 3, Seen(0.68, 0.5, 0.33), Seen(0.5, 0.34, 0.2), 31)
})
Setting(plane { z, 120 inverse Plaster(Seen(0.73, 0.77, 0.78)) })
// The skirting board.
Setting(box { <-400, 0, 117.5>, <400, 11, 121> pigment { srgb <0.93, 0.93, 0.91> } finish { Matte } })
// A rug.
Setting(cylinder {
  <0, 0, 0>, <0, 1.1, 0>, 105 scale <1.25, 1, 0.8> translate <0, 0, 5>
  texture {
    pigment { onion color_map { [0 srgb <0.78, 0.74, 0.68>] [0.86 srgb <0.8, 0.76, 0.7>] [0.88 srgb <0.5, 0.32, 0.3>]
      [0.93 srgb <0.5, 0.32, 0.3>] [0.95 srgb <0.78, 0.74, 0.68>] } scale 106 scale <1.25, 9, 0.8> translate <0, 0, 5> }
    normal { quilted 0.6 scale 1.2 }
    finish { Matte }
  }
})
// A framed picture: a landscape of three tones.
Setting(union {
  box { <-38, -28, -2>, <38, 28, 0> pigment { srgb <0.2, 0.16, 0.13> } finish { Waxed } }
  box { <-35, -25, -2.2>, <35, 25, 0> pigment { srgb <0.94, 0.93, 0.9> } finish { Matte } }
  box { <-27, -18, -2.3>, <27, 18, 0>
    pigment { gradient y turbulence 0.08 color_map { [0 srgb <0.3, 0.42, 0.3>] [0.35 srgb <0.42, 0.52, 0.36>]
      [0.37 srgb <0.45, 0.55, 0.62>] [0.5 srgb <0.5, 0.6, 0.68>] [0.52 srgb <0.85, 0.8, 0.7>] [1 srgb <0.6, 0.74, 0.85>] }
      scale <40, 36, 40> translate y * -18 }
    finish { Matte } }
  translate <-62, 138, 119>
})

// object: chair, home
Thing(1, object { Chair(Seen(0.66, 0.42, 0.24), Seen(0.46, 0.26, 0.13)) scale 1.12 rotate y * 28 translate <-58, 1, 0> })
// object: table, home
Thing(2, object { SideTable(Seen(0.72, 0.55, 0.36), Seen(0.56, 0.4, 0.25), 58, 48) translate <62, 1, 20> })
// object: lamp, home
Thing(3, object { TableLamp(Seen(0.25, 0.42, 0.45), Seen(0.93, 0.87, 0.74)) scale 1.3 translate <80, 59, 28> })
// object: flowers in a vase, plants
Thing(4, union {
  object { Vase(Seen(0.82, 0.8, 0.76)) }
  union {
    #declare Tulip = object { Rose(3.6, Seen(0.93, 0.45, 0.35), 8) translate -y };
    #declare Pale = object { Daisy(17, 4.6, Seen(0.95, 0.94, 0.9), Seen(0.92, 0.7, 0.1), 6) };
    Stem(Tulip, <-3.5, 17, -5>, 3, 1)
    Stem(Pale, <6, 16, -6>, 2, 2)
    Stem(Tulip, <9, 20, 3>, 3, 3)
    Stem(Pale, <-8, 20, 2>, 2, 4)
    Stem(Tulip, <1, 24, 1>, 3, 5)
    Stem(Tulip, <-10, 13, -3>, 3, 6)
    translate y * 23
  }
  scale 0.95
  translate <36, 59, 10>
})
