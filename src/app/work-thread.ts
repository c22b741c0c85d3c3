/** Entry point of the threads that do expensive work: the tasks of all rooms. They open no store and share only messages. */
import { serveTasks } from '../platform/bounded-work/serve-tasks.ts';

serveTasks({
  'governance.atlas.check': async () =>
    (await import('../slices/governance/atlases/judged-atlas.ts')).checkAtlasTask,
  'governance.atlas.analysis': async () =>
    (await import('../slices/governance/atlases/judged-atlas.ts')).analyzeAtlasTask,
  'governance.atlas.version-step': async () =>
    (await import('../slices/governance/atlases/version-step.ts')).versionStepTask,
  'governance.parameters': async () =>
    (await import('../slices/governance/execution/judged-parameters.ts')).judgeParametersTask,
  'governance.impact': async () => (await import('../slices/governance/impact/measure.ts')).impactTask,
  'governance.replay': async () => (await import('../slices/governance/traces/replay.ts')).replayTask,
  'search.analyze': async () => (await import('../spine/search/long-texts.ts')).analyzeTextsTask,
});
