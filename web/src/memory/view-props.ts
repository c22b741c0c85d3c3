export interface MemoryViewProps {
  /** The DID of the profile. */
  readonly profile: string;
  /** Shows a memory. */
  readonly onOpen: (memoryId: string) => void;
}
