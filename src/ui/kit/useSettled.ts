import { useEffect, useState } from 'react';

/**
 * A value once it has stood for `ms`; null while it changes faster: what flashes by cannot be read.
 */
export function useSettled<T>(value: T, ms: number): T | null {
  const [settled, setSettled] = useState<T | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled === value ? settled : null;
}
