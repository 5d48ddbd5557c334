// A shoe, a bag and a hat on a bench by a plain wall.
#version 3.7;
#include "common.inc"
#include "fashion.inc"

camera { location <3, 46, -98> look_at <2, 12, 0> angle 46 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere { pigment { gradient y color_map { [0 srgb <0.6, 0.58, 0.55>] [1 srgb <0.85, 0.88, 0.92>] } } }
  WindowLight(<-110, 130, -110>, <0, 10, 0>, 80, srgb <1, 0.96, 0.9> * 1.15)
#end

Setting(object {
  Boards(16, 300, 9, 4, Seen(0.76, 0.66, 0.52), Seen(0.6, 0.48, 0.35), 11)
  rotate y * 90 translate z * 5
})
Setting(plane { z, 75 inverse Plaster(Seen(0.7, 0.74, 0.72)) })

// object: sneaker, fashion
Thing(1, object { Sneaker(Seen(0.2, 0.3, 0.47), Seen(0.8, 0.2, 0.16)) translate -x * 14 rotate y * 152 scale 1.12 translate <-9, 0, -24> })
// object: handbag, fashion
Thing(2, object { Handbag(Seen(0.55, 0.3, 0.17)) rotate y * -12 translate <-16, 0, 24> })
// object: hat, fashion
Thing(3, object { SunHat(Seen(0.2, 0.12, 0.12)) rotate y * 20 scale 1.05 translate <24, 0, 6> })
