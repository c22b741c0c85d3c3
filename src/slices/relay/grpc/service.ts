/**
 * The methods of A2A over gRPC, each with what its messages are in the JSON-RPC of the same version. Everything else of the
 * relay knows that one only; loaded where gRPC is first needed.
 */
import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import type { MethodDefinition } from '@grpc/grpc-js';
import { asRecord, asText, type LooseRecord, present } from '../../../kernel/json/loose.ts';
import type { A2aOperation, A2aVersion } from '../a2a/methods.ts';
import {
  bodyToRest03,
  paramsFromRest03,
  resultFromRest03,
  resultToRest03,
} from '../a2a/translate/rest-03.ts';
import { fromLegacyMessage, LEGACY, toLegacyMessage } from './legacy-messages.ts';

/** Of what a message of the SDK is made, and what it is made into. */
interface Form {
  toJson(message: unknown): unknown;
  toMessage(json: unknown): unknown;
}

export interface GrpcMethod {
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  readonly definition: MethodDefinition<unknown, unknown>;
  readonly params: Form;
  readonly result: Form;
}

interface SdkMessage<T> {
  fromJSON(object: unknown): T;
  toJSON(message: T): unknown;
}

function form<T>(message: SdkMessage<T>): Form {
  return {
    toJson: (value) => message.toJSON(value as T),
    toMessage: (json) => message.fromJSON(json ?? {}),
  };
}

const NOTHING: Form = { toJson: () => ({}), toMessage: () => ({}) };

/** The JSON of protobuf leaves out what is empty; in JSON-RPC these members are required. */
const LISTED: Form = {
  ...form(ListTasksResponse),
  toJson: (value) => ({
    tasks: [],
    nextPageToken: '',
    pageSize: 0,
    totalSize: 0,
    ...asRecord(ListTasksResponse.toJSON(value as ListTasksResponse)),
  }),
};

const push = form(TaskPushNotificationConfig);

const MODERN: readonly (readonly [A2aOperation, keyof typeof A2AService, Form, Form])[] = [
  ['send', 'sendMessage', form(SendMessageRequest), form(SendMessageResponse)],
  ['stream', 'sendStreamingMessage', form(SendMessageRequest), form(StreamResponse)],
  ['get', 'getTask', form(GetTaskRequest), form(Task)],
  ['list', 'listTasks', form(ListTasksRequest), LISTED],
  ['cancel', 'cancelTask', form(CancelTaskRequest), form(Task)],
  ['subscribe', 'subscribeToTask', form(SubscribeToTaskRequest), form(StreamResponse)],
  ['push.set', 'createTaskPushNotificationConfig', push, push],
  ['push.get', 'getTaskPushNotificationConfig', form(GetTaskPushNotificationConfigRequest), push],
  [
    'push.list',
    'listTaskPushNotificationConfigs',
    form(ListTaskPushNotificationConfigsRequest),
    form(ListTaskPushNotificationConfigsResponse),
  ],
  ['push.delete', 'deleteTaskPushNotificationConfig', form(DeleteTaskPushNotificationConfigRequest), NOTHING],
  ['card', 'getExtendedAgentCard', form(GetExtendedAgentCardRequest), form(AgentCard)],
];

type LegacyShape = (typeof LEGACY)[keyof typeof LEGACY];

const LEGACY_METHODS: readonly (readonly [
  A2aOperation,
  keyof typeof LegacyA2AService,
  LegacyShape,
  LegacyShape,
])[] = [
  ['send', 'sendMessage', LEGACY.send, LEGACY.sent],
  ['stream', 'sendStreamingMessage', LEGACY.send, LEGACY.event],
  ['get', 'getTask', LEGACY.getTask, LEGACY.task],
  ['cancel', 'cancelTask', LEGACY.named, LEGACY.task],
  ['subscribe', 'taskSubscription', LEGACY.named, LEGACY.event],
  ['push.set', 'createTaskPushNotificationConfig', LEGACY.createPush, LEGACY.taskPush],
  ['push.get', 'getTaskPushNotificationConfig', LEGACY.named, LEGACY.taskPush],
  ['push.list', 'listTaskPushNotificationConfig', LEGACY.listPush, LEGACY.pushes],
  ['push.delete', 'deleteTaskPushNotificationConfig', LEGACY.named, LEGACY.nothing],
  ['card', 'getAgentCard', LEGACY.nothing, LEGACY.card],
];

export const GRPC_METHODS: readonly GrpcMethod[] = [
  ...MODERN.map(([operation, name, params, result]) => ({
    operation,
    version: '1.0' as const,
    definition: A2AService[name] as unknown as MethodDefinition<unknown, unknown>,
    params,
    result,
  })),
  ...LEGACY_METHODS.map(([operation, name, params, result]) => ({
    operation,
    version: '0.3' as const,
    definition: LegacyA2AService[name] as unknown as MethodDefinition<unknown, unknown>,
    params: {
      toJson: (message: unknown) => paramsOf(operation, fromLegacyMessage(params, message)),
      toMessage: (json: unknown) => toLegacyMessage(params, requestOf(operation, asRecord(json))),
    },
    result: {
      toJson: (message: unknown) => resultFromRest03(operation, fromLegacyMessage(result, message)),
      toMessage: (json: unknown) => toLegacyMessage(result, resultToRest03(operation, json)),
    },
  })),
];

const NAME = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]+))?$/;

/** 0.3 names tasks and configurations by paths; whatever else a request holds, its HTTP+JSON holds as well. */
function paramsOf(operation: A2aOperation, request: LooseRecord): LooseRecord {
  const { name, parent, ...rest } = request;
  const [, task, config] = NAME.exec(asText(name) ?? asText(parent) ?? '') ?? [];
  switch (operation) {
    case 'push.set':
    case 'push.get':
    case 'push.delete':
    case 'push.list':
      return paramsFromRest03(operation, present({ ...rest, taskId: task, id: config }));
    case 'get':
    case 'cancel':
    case 'subscribe':
      return present({ ...rest, id: task });
    default:
      return paramsFromRest03(operation, request);
  }
}

function requestOf(operation: A2aOperation, params: LooseRecord): LooseRecord {
  const id = asText(params.id) ?? '';
  switch (operation) {
    case 'push.set': {
      const config = asRecord(bodyToRest03(operation, params));
      const configId = asText(asRecord(params.pushNotificationConfig).id) ?? '';
      return { parent: `tasks/${params.taskId}`, configId, config };
    }
    case 'push.get':
    case 'push.delete':
      return { name: `tasks/${id}/pushNotificationConfigs/${params.pushNotificationConfigId ?? id}` };
    case 'push.list':
      return { parent: `tasks/${id}` };
    case 'get':
    case 'cancel':
    case 'subscribe':
      return present({ name: `tasks/${id}`, historyLength: params.historyLength });
    default:
      return asRecord(bodyToRest03(operation, params));
  }
}
