import { Modal } from '../ui/modal.tsx';

const KEYS = [
  ['j  k', 'next, previous'],
  ['l', 'show or hide what is alike'],
  ['x', 'select'],
  ['X', 'select from the last to here'],
  ['g', 'select all that are like it'],
  ['a', 'approve what is open'],
  ['A', 'approve what is selected'],
  ['r  R', 'reject what is open, what is selected'],
  ['e', 'edit, then approve'],
  ['w', 'answer in words'],
  ['d  D', 'defer what is open, what is selected'],
  ['o', 'hand to another person'],
  ['b', 'bring back what you put aside'],
  ['u', 'undo, until it takes effect'],
  ['/', 'search'],
  ['Esc', 'clear the selection'],
  ['?', 'this'],
] as const;

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      open
      onClose={onClose}
      title="Keys of the inbox"
      description="Everything here works without a mouse."
    >
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              {key.split('  ').map((each) => (
                <kbd
                  key={each}
                  className="mr-1 rounded border border-line bg-sunken px-1.5 font-mono text-tiny"
                >
                  {each}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
