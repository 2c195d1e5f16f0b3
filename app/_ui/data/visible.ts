import { useEffect, useState } from 'react'

/** Whether the page is in sight: what is asked for again and again need not be while it is not. */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    const look = () => setVisible(!document.hidden)
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return visible
}
