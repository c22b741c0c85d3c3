export interface PolicyViewProps {
  readonly project: string;
}
