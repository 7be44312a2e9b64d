// Holds what is queued behind it until the host opens the gate for this turn, so that an event and the launch behind it
// follow each other without the host between them (after nvbench's blocking kernel).

__device__ long long now() {
  long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

// Both point to memory of the host. opened: the last turn that was opened. late: how often the host took too long.
extern "C" __global__ void hold(const volatile unsigned* opened, volatile unsigned* late, unsigned turn,
                                long long patience_ns) {
  const long long start = now();
  while (*opened < turn) {
    if (now() - start > patience_ns) {
      *late = *late + 1;
      return;
    }
  }
}
