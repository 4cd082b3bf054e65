/** What breaks a fleet where each service has a process of its own, in this order on one fleet. Each file registers its tests. */
import './separate-layout/process-killed.ts';
import './separate-layout/dependency-unavailable.ts';
import './console.ts';
