import { useEffect, useState } from 'react'
import type { QrShape } from '@/app/_ui/data/qr'

type State = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; shape: QrShape }

/** A text as a QR code, drawn once it is asked for. */
export function useQr(text: string): State {
  const [state, setState] = useState<State>({ status: 'loading' })
  useEffect(() => {
    let current = true
    import('@/app/_ui/data/qr')
      .then(({ qrShape }) => qrShape(text))
      .then(
        (shape) => current && setState({ status: 'ready', shape }),
        () => current && setState({ status: 'failed' }),
      )
    return () => {
      current = false
    }
  }, [text])
  return state
}

/** Dark on white in both colour schemes: many readers want it so. */
export function QrImage({ shape, label }: { shape: QrShape; label: string }) {
  return (
    <svg
      viewBox={`0 0 ${shape.size} ${shape.size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      className="size-full"
    >
      <path d={shape.path} fill="var(--qr)" fillRule="evenodd" />
    </svg>
  )
}
