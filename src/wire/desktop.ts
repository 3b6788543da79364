/**
 * What the host gives the renderer beside the channel. Electron's preload or browserDesktop.ts
 * implements it.
 */
export interface DesktopApi {
  readonly kind: 'electron' | 'browser';
  /** The window's process has no sandbox. In a browser that is the browser's affair: absent. */
  readonly unsandboxed?: boolean;
  /** Asks where, and writes. Returns the path or name, null when the user cancelled. */
  saveFile(fileName: string, chunks: AsyncIterable<string | Uint8Array>): Promise<string | null>;
  openFile(extensions: readonly string[]): Promise<{ name: string; text: string } | null>;
  /** A file too large for one text, read piece by piece. null = cancelled. */
  openBinary(extensions: readonly string[]): Promise<BinaryFile | null>;
  /** A file that came from outside the window: a double click, the command line. */
  onOpenFile(listener: (file: BinaryFile) => void): () => void;
  /** A command chosen in the native menu. */
  onCommand(listener: (commandId: string) => void): () => void;
  /**
   * A second window of this page at a route (`detached.ts`). `blocked`: the browser lets no window
   * be opened.
   */
  detach(route: string): Promise<'opened' | 'blocked'>;
  /** Tells the window and taskbar about the active run. null = none. */
  setActiveRun(run: { name: string; progress: number } | null): void;
}

/** A chosen file: pieces of it on request, until it is closed. */
export interface BinaryFile {
  readonly name: string;
  readonly size: number;
  read(from: number, to: number): Promise<Uint8Array>;
  close(): void;
}

/** A file of the page (an input, a drop) as a BinaryFile. */
export const binaryOf = (file: Pick<File, 'name' | 'size' | 'slice'>): BinaryFile => ({
  name: file.name,
  size: file.size,
  read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  close: () => undefined,
});

/** Ids of every command: menu, palette and shortcuts share this list. */
export interface CommandSpec {
  id: string;
  title: string;
  group: 'Go' | 'Run' | 'History' | 'Lab' | 'View' | 'File' | 'Help';
  shortcut?: string;
  /** What the palette finds it by as well. */ alsoNamed?: string;
  /** A command of one screen: its keys work there only, where nothing is typed. */ on?:
    'Runs' | 'Compare' | 'Live board';
}
export const commandSpecs: readonly CommandSpec[] = [
  { id: 'go.home', title: 'Home', group: 'Go', shortcut: 'mod+1' },
  { id: 'go.labPlace', title: 'Lab', group: 'Go', shortcut: 'mod+2' },
  { id: 'go.connections', title: 'Connections', group: 'Go' },
  { id: 'go.testbeds', title: 'Testbeds', group: 'Go' },
  { id: 'go.lab', title: 'Demo lab', group: 'Go' },
  { id: 'go.plans', title: 'Plans', group: 'Go', shortcut: 'mod+3' },
  { id: 'go.runs', title: 'Runs', group: 'Go', shortcut: 'mod+4', alsoNamed: 'History' },
  { id: 'go.studies', title: 'Studies', group: 'Go', shortcut: 'mod+5' },
  { id: 'go.compare', title: 'Compare', group: 'Go', shortcut: 'mod+6' },
  { id: 'go.settings', title: 'Settings', group: 'Go', shortcut: 'mod+,' },
  { id: 'go.profiles', title: 'Profiles', group: 'Go' },
  { id: 'run.new', title: 'New plan', group: 'Run', shortcut: 'mod+n' },
  { id: 'testbed.new', title: 'New testbed', group: 'Lab' },
  { id: 'connection.vcenter', title: 'Add vCenter', group: 'Lab' },
  { id: 'connection.client', title: 'Add client machines', group: 'Lab' },
  { id: 'connection.power', title: 'Add power source', group: 'Lab' },
  { id: 'lab.fault', title: 'Inject fault into the simulated lab', group: 'Lab' },
  { id: 'study.new', title: 'New study', group: 'Run', shortcut: 'mod+shift+s' },
  {
    id: 'study.toggle',
    title: 'Start or pause the open study',
    group: 'Run',
    shortcut: 'mod+enter',
  },
  { id: 'run.active', title: 'Go to active run', group: 'Run', shortcut: 'mod+l' },
  { id: 'run.note', title: 'Add note to active run', group: 'Run', shortcut: 'mod+shift+n' },
  { id: 'run.abort', title: 'Abort active run', group: 'Run' },
  {
    id: 'run.replay',
    title: 'Replay the run on show, or the last',
    group: 'Run',
    shortcut: 'mod+shift+y',
  },
  {
    id: 'history.search',
    title: 'Search runs and studies',
    group: 'History',
    shortcut: '/',
    on: 'Runs',
  },
  {
    id: 'history.selectAll',
    title: 'Select everything shown',
    group: 'History',
    shortcut: 'mod+a',
    on: 'Runs',
  },
  {
    id: 'history.favourite',
    title: 'Mark as favourite, or not',
    group: 'History',
    shortcut: 'f',
    on: 'Runs',
  },
  { id: 'history.tags', title: 'Edit tags', group: 'History', shortcut: 't', on: 'Runs' },
  {
    id: 'history.folder',
    title: 'Move to a folder',
    group: 'History',
    shortcut: 'm',
    on: 'Runs',
  },
  { id: 'history.notes', title: 'Edit notes', group: 'History', shortcut: 'n', on: 'Runs' },
  {
    id: 'history.compare',
    title: 'Compare what is selected',
    group: 'History',
    shortcut: 'c',
    on: 'Runs',
  },
  {
    id: 'history.export',
    title: 'Export what is selected',
    group: 'History',
    shortcut: 'x',
    on: 'Runs',
  },
  {
    id: 'history.archive',
    title: 'Archive, or bring back',
    group: 'History',
    shortcut: 'e',
    on: 'Runs',
  },
  {
    id: 'history.delete',
    title: 'Move to Deleted',
    group: 'History',
    shortcut: 'delete',
    on: 'Runs',
  },
  {
    id: 'history.undo',
    title: 'Undo the last change of the history',
    group: 'History',
    shortcut: 'mod+z',
    on: 'Runs',
  },
  {
    id: 'history.saveView',
    title: 'Save these filters as a view',
    group: 'History',
    shortcut: 'mod+s',
    on: 'Runs',
  },
  { id: 'history.storage', title: 'Storage used and retention rule', group: 'History' },
  {
    id: 'board.find',
    title: 'Find on the live board',
    group: 'Run',
    shortcut: '/',
    on: 'Live board',
  },
  {
    id: 'board.follow',
    title: 'Follow the run, or pause the board',
    group: 'Run',
    shortcut: 'p',
    on: 'Live board',
  },
  { id: 'lab.open', title: 'Open the demo lab', group: 'Lab', shortcut: 'mod+shift+d' },
  { id: 'lab.practice', title: 'Use the practice lab', group: 'Lab' },
  { id: 'lab.close', title: 'Back to the real lab', group: 'Lab' },
  {
    id: 'lab.pause',
    title: 'Pause or resume simulated time',
    group: 'Lab',
    shortcut: 'mod+shift+p',
  },
  { id: 'lab.slower', title: 'Simulated time slower', group: 'Lab', shortcut: 'mod+[' },
  { id: 'lab.faster', title: 'Simulated time faster', group: 'Lab', shortcut: 'mod+]' },
  { id: 'file.importPlan', title: 'Import plan file', group: 'File', shortcut: 'mod+o' },
  { id: 'file.openBundle', title: 'Open bundle', group: 'File', shortcut: 'mod+shift+o' },
  { id: 'file.importResults', title: 'Import results of another tool', group: 'File' },
  {
    id: 'view.detach',
    title: 'Detach the live board to a second window',
    group: 'View',
    shortcut: 'mod+shift+e',
  },
  { id: 'view.present', title: 'Presenter view', group: 'View', shortcut: 'mod+shift+f' },
  { id: 'view.stories', title: 'Stories to present', group: 'View' },
  { id: 'compare.swap', title: 'Swap baseline', group: 'View', shortcut: 'b', on: 'Compare' },
  { id: 'view.palette', title: 'Command palette', group: 'View', shortcut: 'mod+k' },
  { id: 'view.theme', title: 'Switch light and dark', group: 'View', shortcut: 'mod+shift+l' },
  { id: 'view.rail', title: 'Collapse or expand the rail', group: 'View', shortcut: 'mod+b' },
  { id: 'help.shortcuts', title: 'Keyboard shortcuts', group: 'Help', shortcut: 'mod+/' },
];
