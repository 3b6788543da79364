import {
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

interface FullScreen {
  on: boolean;
  possible: boolean;
  toggle: () => void;
  /** Who is told when the user ends full screen; gives the way out. */
  onEscape: (told: () => void) => () => void;
}

const never: FullScreen = {
  on: false,
  possible: false,
  toggle: () => undefined,
  onEscape: () => () => undefined,
};
export const FullScreenContext = createContext(never);

/** Full screen of the presenter; Escape ends it before any key arrives, so its end is `onEscape`. */
export function useFullScreen(onEscape: () => void): FullScreen {
  const full = use(FullScreenContext);
  const escape = useRef(onEscape);
  useLayoutEffect(() => {
    escape.current = onEscape;
  });
  const listen = full.onEscape;
  useEffect(() => listen(() => escape.current()), [listen]);
  return full;
}

/**
 * The owner of full screen, for as long as any page of the presenter is shown: pages that follow each
 * other neither end it nor take its end for Escape. Entered where the way here was a click or key;
 * where a browser refuses, the view fills the window.
 */
export function useFullScreenOwner(): FullScreen {
  const [on, setOn] = useState(() => document.fullscreenElement != null);
  /** This application ends it: nobody pressed Escape. */
  const own = useRef(false);
  const listeners = useRef(new Set<() => void>());
  useEffect(() => {
    const changed = (): void => {
      const now = document.fullscreenElement != null;
      setOn(now);
      if (!now && !own.current) for (const told of [...listeners.current]) told();
      own.current = false;
    };
    document.addEventListener('fullscreenchange', changed);
    return () => {
      document.removeEventListener('fullscreenchange', changed);
    };
  }, []);
  const possible = document.fullscreenEnabled;
  const exit = useCallback(() => {
    if (document.fullscreenElement == null) return;
    own.current = true;
    void document.exitFullscreen();
  }, []);
  const enter = useCallback(() => {
    // Refused without a key or click just before: the window is filled anyway.
    if (possible)
      document.documentElement.requestFullscreen().catch(() => {
        setOn(false);
      });
  }, [possible]);
  useEffect(() => {
    // Otherwise browsers refuse and say so in their log.
    if (navigator.userActivation?.isActive) enter();
    return exit;
  }, [enter, exit]);
  const onEscape = useCallback((told: () => void) => {
    const all = listeners.current;
    all.add(told);
    return () => {
      all.delete(told);
    };
  }, []);
  return useMemo(
    () => ({
      on,
      possible,
      onEscape,
      toggle: () => {
        if (document.fullscreenElement == null) enter();
        else exit();
      },
    }),
    [on, possible, onEscape, enter, exit],
  );
}
