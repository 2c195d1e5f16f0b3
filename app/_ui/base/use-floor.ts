import { type RefObject, useLayoutEffect } from 'react'

/** Tells the page how far up something at the lower edge of the window reaches: toasts and what has the cursor stay above. */
export function useFloor(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.setProperty('--floor', `${element.offsetHeight + Number.parseFloat(getComputedStyle(element).bottom)}px`)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--floor')
    }
  }, [ref])
}
