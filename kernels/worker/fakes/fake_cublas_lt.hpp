// The fake cuBLASLt counts how it is used.
#pragma once

struct FakeLt {
  int descriptions;  // made and not given back
  int choices;       // how often it was asked how to multiply
};

extern "C" {
const FakeLt* fake_lt();
}
