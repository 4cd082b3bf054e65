/** What a fleet tells the tools that observe it, on one fleet. Each file registers its tests. */
import './observed-fleet/dashboards.ts';
import './observed-fleet/traces.ts';
