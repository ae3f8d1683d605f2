-- The newest revision of each task of a shared project: of two machines that change a task at once, one does. Its text
-- goes through Matrix and is not stored here.
CREATE TABLE rookery.tasks (
  project_id uuid NOT NULL REFERENCES rookery.projects(id),
  id         text NOT NULL CHECK (id ~ '^[0-9A-Za-z_-]{8,64}$'),
  rev        bigint NOT NULL CHECK (rev > 0),
  state      text NOT NULL CHECK (length(state) BETWEEN 1 AND 20),
  changed_by text NOT NULL CHECK (length(changed_by) BETWEEN 1 AND 100),
  device_id  uuid NOT NULL REFERENCES rookery.devices(id),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, id)
);
ALTER TABLE rookery.tasks ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_my_projects ON rookery.tasks FOR SELECT USING (project_id = ANY ((SELECT rookery.my_projects())::uuid[]));

-- The caller has read the task's revision (NULL: not known here) and found that the change is possible. Returns the new
-- revision; NULL if another machine has changed the task since.
CREATE FUNCTION rookery.change_task_v1(p_project uuid, p_id text, p_known bigint, p_rev bigint, p_state text, p_by text)
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_device rookery.devices := rookery.require_device(p_project, true);
  v_rev bigint;
BEGIN
  INSERT INTO rookery.tasks AS t (project_id, id, rev, state, changed_by, device_id)
  VALUES (p_project, p_id, p_rev, p_state, p_by, v_device.id)
  ON CONFLICT (project_id, id) DO UPDATE
    SET rev = excluded.rev, state = excluded.state, changed_by = excluded.changed_by, device_id = excluded.device_id, changed_at = now()
    WHERE t.rev = p_known AND t.rev < excluded.rev
  RETURNING t.rev INTO v_rev;
  RETURN v_rev;
END $$;
REVOKE ALL ON FUNCTION rookery.change_task_v1(uuid, text, bigint, bigint, text, text) FROM PUBLIC;
GRANT SELECT ON rookery.tasks TO {{devices}};
GRANT EXECUTE ON FUNCTION rookery.change_task_v1(uuid, text, bigint, bigint, text, text) TO {{devices}};
