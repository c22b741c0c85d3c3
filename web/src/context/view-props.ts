export interface ViewProps {
  readonly project: string;
  /** Shows a package. */
  readonly onOpen: (packageId: string) => void;
}
