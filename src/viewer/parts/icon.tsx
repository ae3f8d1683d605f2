const paths = {
  bird: "M3 17c2-6 6-9 11-9 2 0 3.3.8 3.7 2L21 11l-3.3 1c-.4 4.5-3.5 7-8.2 7H5l2.5-2.5z",
  today: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  memory: "M5 4h11l3 3v13H5zM8 9h8M8 13h8M8 17h5",
  sessions: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  questions: "M9 9a3 3 0 1 1 4 2.8c-.8.4-1 .9-1 1.7M12 17h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  rooms:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 19c.5-3 2.5-4.5 5.5-4.5s5 1.5 5.5 4.5M16 11a2.5 2.5 0 1 0 0-5M17 14.5c2.5.2 4 1.7 4.5 4.5",
  blame: "M4 6h10M4 12h7M4 18h10M18 4v16M15 8l3-4 3 4",
  health: "M3 13h4l2.5-7 4 12 2.5-5h5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
} as const;

type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
