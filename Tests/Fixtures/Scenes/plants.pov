// A potted plant and a vase of flowers on a table before a wall.
#version 3.7;
#include "common.inc"
#include "home.inc"
#include "plants.inc"

camera { location <0, 46, -116> look_at <0, 24, 0> angle 43 right x * 4 / 3 }
#if (Only = 0)
  sky_sphere { pigment { gradient y color_map { [0 srgb <0.6, 0.58, 0.55>] [1 srgb <0.85, 0.88, 0.92>] } } }
  WindowLight(<-120, 140, -120>, <0, 20, 0>, 80, srgb <1, 0.96, 0.9> * 1.2)
#end

Setting(object {
  Boards(18, 260, 9, 4, Seen(0.85, 0.8, 0.72), Seen(0.7, 0.62, 0.52), 21)
  rotate y * 90
})
Setting(plane { z, 80 inverse Plaster(Seen(0.8, 0.77, 0.71)) })

// object: potted plant, plants
Thing(1, union {
  FlowerPot(10, 17, Seen(0.74, 0.4, 0.26))
  object { LeafyPlant(26, 25, 6) translate y * 14 }
  translate <-17, 0, 4>
})
// object: vase of flowers, plants
Thing(2, union {
  object { Vase(Seen(0.84, 0.86, 0.88)) }
  union {
    #declare Yellow = object { Daisy(15, 4.6, Seen(0.95, 0.75, 0.12), Seen(0.35, 0.2, 0.06), 5) };
    #declare White = object { Daisy(17, 4.3, Seen(0.95, 0.94, 0.9), Seen(0.92, 0.7, 0.1), 6) };
    #declare Red = object { Rose(3.4, Seen(0.8, 0.1, 0.15), 7) translate -y * 1 };
    #declare Pink = object { Rose(3.2, Seen(0.92, 0.5, 0.58), 8) translate -y * 1 };
    Stem(Red, <-3.5, 19, -5>, 3, 1)
    Stem(Yellow, <5.5, 17, -7>, 2, 2)
    Stem(White, <-9.5, 14, -5>, 2, 3)
    Stem(Pink, <10.5, 13, -3>, 3, 4)
    Stem(Yellow, <-6, 23, 3>, 2, 5)
    Stem(White, <3.5, 25, 1>, 2, 6)
    Stem(Red, <10, 20, 4>, 3, 7)
    Stem(Pink, <-11, 18, 4>, 3, 8)
    Stem(White, <0.5, 12, -9>, 2, 9)
    translate y * 23
  }
  translate <22, 0, 0>
})
