import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { cx } from './cx'

/** Kept free between the box and the edges of the window, and between the box and its button, in px. */
const [EDGE, GAP] = [12, 4]

type Props = ComponentProps<'div'> & {
  button: RefObject<HTMLElement | null>
  /** Which of their edges are one above the other. */
  align: 'start' | 'end'
  /** Called with the box when it is in its place. */
  onOpen: (box: HTMLElement) => void
  /** Escape, or a press anywhere else. */
  onClose: () => void
}

/** A small box that a button opened, above all else on the page: below its button, or above it where there is more room. */
export function Beside({ button, align, onOpen, onClose, className, onKeyDown, ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const opened = useEffectEvent(onOpen)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const put = () => button.current && box.current && place(box.current, button.current.getBoundingClientRect(), align)
    // In the top layer nothing that scrolls cuts it off. A browser without that shows it where it is.
    box.current?.showPopover?.()
    put()
    if (box.current) opened(box.current)
    // Without its button one would not see what it is about.
    const follow = () => {
      const { bottom = 0, top = 0 } = button.current?.getBoundingClientRect() ?? {}
      if (bottom > 0 && top < document.documentElement.clientHeight) return put()
      close()
      button.current?.focus({ preventScroll: true })
    }
    window.addEventListener('resize', put)
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    return () => {
      window.removeEventListener('resize', put)
      window.removeEventListener('scroll', follow, { capture: true })
    }
  }, [button, align])
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target) && !button.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [button])
  const pressKey = (event: KeyboardEvent<HTMLDivElement>) => {
    onKeyDown?.(event)
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it is, a menu or a note, is said by who opens it
    <div
      ref={box}
      popover="manual"
      className={cx(
        'appear fixed z-30 max-h-[calc(100dvh-1.5rem)] rounded-control border border-line bg-raised shadow-lg',
        className,
      )}
      onKeyDown={pressKey}
      {...rest}
    />
  )
}

function place(box: HTMLElement, button: DOMRect, align: 'start' | 'end'): void {
  // By its layout, which the fading in does not move.
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  const left = align === 'end' ? button.right - width : button.left
  const below = button.bottom + GAP
  const fits = below + height <= clientHeight - EDGE || clientHeight - button.bottom >= button.top
  const top = fits ? below : button.top - GAP - height
  box.style.inset = 'auto'
  box.style.left = `${within(left, clientWidth - width)}px`
  box.style.top = `${within(top, clientHeight - height)}px`
}

const within = (value: number, most: number) => Math.max(EDGE, Math.min(value, most - EDGE))
