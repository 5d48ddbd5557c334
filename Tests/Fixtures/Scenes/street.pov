// Two houses and a tree along a street.
#version 3.7;
#include "common.inc"
#include "plants.inc"
#include "street.inc"

camera { location <-90, 170, -2200> look_at <-40, 375, 0> angle 52 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere {
    pigment { gradient y color_map { [0 srgb <0.8, 0.87, 0.95>] [0.25 srgb <0.55, 0.72, 0.92>] [1 srgb <0.3, 0.5, 0.8>] } }
    pigment {
      bozo turbulence 0.7 octaves 6 lambda 2.2
      color_map { [0.5 srgbt <1, 1, 1, 1>] [0.75 srgbt <1, 1, 1, 0.15>] [1 srgbt <0.9, 0.92, 0.95, 0.05>] }
      scale <0.5, 0.16, 0.5>
    }
  }
  light_source {
    <-5200, 6200, -6500>, srgb <1, 0.96, 0.89> * 1.25
    area_light <260, 0, 0>, <0, 0, 260>, 4, 4 adaptive 1 jitter circular orient
  }
#end

// Grass, a pavement, a kerb, the road.
Setting(plane {
  y, -1
  texture {
    pigment { granite color_map { [0 srgb <0.22, 0.35, 0.13>] [1 srgb <0.42, 0.53, 0.22>] } scale 130 }
    normal { granite 1.4 scale 35 }
    finish { Matte }
  }
})
Setting(box {
  <-9000, -20, -620>, <9000, 6, -380>
  texture {
    pigment { brick pigment { srgb <0.5, 0.49, 0.47> }, pigment { bozo color_map { [0 srgb <0.66, 0.65, 0.62>] [1 srgb <0.74, 0.73, 0.7>] } scale 60 }
      brick_size <80, 90, 80> mortar 1.6 rotate x * 90 }
    finish { Matte }
  }
})
Setting(box { <-9000, -20, -640>, <9000, 7, -619> pigment { srgb <0.78, 0.77, 0.75> } finish { Matte } })
Setting(box {
  <-9000, -20, -9000>, <9000, 0, -640>
  texture {
    pigment { granite color_map { [0 srgb <0.3, 0.3, 0.31>] [1 srgb <0.42, 0.42, 0.42>] } scale 25 }
    normal { granite 0.4 scale 9 }
    finish { Matte }
  }
})
// A hedge and trees far behind.
Setting(union {
  #for (I, -9, 9)
    sphere { 0, 1 scale <420, 330 + 120 * sin(I * 2.3), 250> translate <I * 520, 120, 2600 + 300 * cos(I * 1.7)> }
  #end
  texture {
    pigment { granite color_map { [0 srgb <0.16, 0.25, 0.11>] [1 srgb <0.36, 0.46, 0.22>] } scale 260 }
    normal { granite 2 scale 120 }
    finish { Matte }
  }
})
// Paths to the doors.
Setting(union {
  box { <-80, -1, -400>, <80, 2, 0> translate x * -436 }
  box { <-80, -1, -400>, <80, 2, 60> translate x * 710 }
  pigment { srgb <0.66, 0.63, 0.58> } finish { Matte }
})

// object: brick house, places
Thing(1, object { House(880, 700, Seen(0.62, 0.36, 0.28), Seen(0.36, 0.34, 0.36), Seen(0.16, 0.3, 0.42), 1) translate <-630, 0, 0> })
// object: yellow house, places
Thing(2, object { House(820, 700, Seen(0.82, 0.76, 0.64), Seen(0.55, 0.3, 0.22), Seen(0.5, 0.13, 0.12), 2) translate <530, 0, 60> })
// object: tree, plants
Thing(3, object { Tree(540, 4) translate <-60, 0, -300> })
