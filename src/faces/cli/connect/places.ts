/** Where this user's things stand on this machine. */
export interface Places {
  readonly home: string;
  /** The folder that an editor opens. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `XDG_CONFIG_HOME` or `APPDATA`, where set. */
  readonly config: string | undefined;
  /** Folders in which programs are looked for. */
  readonly path: readonly string[];
}
