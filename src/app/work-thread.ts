/** Entry point of the threads that do expensive work: the tasks of all rooms. They open no store and share only messages. */
import { serveTasks } from '../platform/bounded-work/serve-tasks.ts';
import { analyzeAtlasTask, checkAtlasTask } from '../slices/governance/atlases/judged-atlas.ts';
import { judgeParametersTask } from '../slices/governance/execution/judged-parameters.ts';
import { replayTask } from '../slices/governance/traces/replay.ts';

serveTasks([checkAtlasTask, analyzeAtlasTask, judgeParametersTask, replayTask]);
