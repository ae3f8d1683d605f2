-- The hub: one schema in a PostgreSQL database of its own. Applied by the owner of the database, never by a machine.
-- {{devices}} is the role that every machine's login role belongs to. Machines may read what their policies show them and
-- call functions; they have no right to write to any table.

CREATE SCHEMA rookery;
REVOKE ALL ON SCHEMA rookery FROM PUBLIC;
GRANT USAGE ON SCHEMA rookery TO {{devices}};

CREATE TABLE rookery.meta (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  hub_id         uuid NOT NULL,
  epoch          uuid NOT NULL DEFAULT gen_random_uuid(), -- another one after a restore: every machine compares everything
  schema_version integer NOT NULL DEFAULT 0,
  oldest_client  integer NOT NULL DEFAULT 1
);

CREATE TABLE rookery.members (
  id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name     text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,31}$'),
  is_admin boolean NOT NULL DEFAULT false, -- may forget the notes of others
  is_limited boolean NOT NULL DEFAULT false, -- only the projects granted to them by the administrator
  made_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE rookery.devices (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  member_id  uuid NOT NULL REFERENCES rookery.members(id),
  role_name  text NOT NULL UNIQUE,
  name       text CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,31}$'), -- NULL until it has joined
  kind       text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'machine')),
  read_only  boolean NOT NULL DEFAULT false,
  invited_at timestamptz NOT NULL DEFAULT now(),
  join_until timestamptz NOT NULL,
  expires_at timestamptz,
  joined_at  timestamptz,
  seen_at    timestamptz,
  revoked_at timestamptz
);
CREATE INDEX devices_by_member ON rookery.devices (member_id);

-- The numbers of a project are assigned while its row is locked, so a lower number is never committed after a higher one.
CREATE TABLE rookery.projects (
  id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name    text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  head    bigint NOT NULL DEFAULT 0,
  fence   bigint NOT NULL DEFAULT 0,
  made_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- How a checkout proposes its project: the normalised address of its remote, or a name.
CREATE TABLE rookery.project_keys (
  key        text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 500),
  project_id uuid NOT NULL REFERENCES rookery.projects(id)
);

CREATE TABLE rookery.grants (
  project_id uuid NOT NULL REFERENCES rookery.projects(id),
  member_id  uuid NOT NULL REFERENCES rookery.members(id),
  PRIMARY KEY (member_id, project_id)
);

-- Only the machine that made a record changes it. A forgotten record keeps its id and nothing else, for ever.
CREATE TABLE rookery.records (
  project_id  uuid NOT NULL REFERENCES rookery.projects(id),
  id          text NOT NULL CHECK (id ~ '^[0-9A-Za-z_-]{8,64}$'),
  seq         bigint NOT NULL,
  kind        text NOT NULL CHECK (length(kind) BETWEEN 1 AND 20),
  member_id   uuid NOT NULL REFERENCES rookery.members(id),
  device_id   uuid NOT NULL REFERENCES rookery.devices(id),
  made_at     timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  body_v      integer NOT NULL,
  body        jsonb CHECK (octet_length(body::text) < 262144),
  gone_by     uuid REFERENCES rookery.members(id),
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, seq),
  CHECK ((body IS NULL) = (gone_by IS NOT NULL))
);
-- Statistics would keep copies of bodies.
ALTER TABLE rookery.records ALTER COLUMN body SET STATISTICS 0;

-- How far each machine has applied a project: a machine beyond the number of a forgotten record has erased it.
CREATE TABLE rookery.cursors (
  project_id uuid NOT NULL REFERENCES rookery.projects(id),
  device_id  uuid NOT NULL REFERENCES rookery.devices(id),
  seq        bigint NOT NULL DEFAULT 0,
  at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, device_id)
);

CREATE TABLE rookery.leases (
  project_id uuid NOT NULL REFERENCES rookery.projects(id),
  id         text NOT NULL CHECK (id ~ '^[0-9A-Za-z_-]{8,64}$'),
  device_id  uuid NOT NULL REFERENCES rookery.devices(id),
  holder     text NOT NULL CHECK (length(holder) BETWEEN 1 AND 100),
  globs      text[] NOT NULL CHECK (cardinality(globs) BETWEEN 1 AND 50 AND octet_length(globs::text) < 16384),
  exclusive  boolean NOT NULL,
  fence      bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE rookery.audit (
  at        timestamptz NOT NULL DEFAULT now(),
  role_name text NOT NULL DEFAULT session_user,
  action    text NOT NULL,
  subject   text
);

-- The machine of this connection; NULL unless it has joined and was neither revoked nor expired. Asked at every statement,
-- so a revocation also ends open connections.
CREATE FUNCTION rookery.my_device() RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT d.id FROM rookery.devices d
  WHERE d.role_name = session_user AND d.joined_at IS NOT NULL AND d.revoked_at IS NULL
    AND (d.expires_at IS NULL OR d.expires_at > now())
$$;

CREATE FUNCTION rookery.my_projects() RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(array_agg(g.project_id), '{}') FROM rookery.grants g
  JOIN rookery.devices d ON d.member_id = g.member_id WHERE d.id = rookery.my_device()
$$;

-- The machine of this connection, if it may use the project. Not callable by machines.
CREATE FUNCTION rookery.require_device(p_project uuid, p_writes boolean) RETURNS rookery.devices
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices;
BEGIN
  SELECT * INTO v_device FROM rookery.devices d WHERE d.id = rookery.my_device();
  IF v_device.id IS NULL THEN RAISE EXCEPTION 'This machine has no access to the hub.' USING ERRCODE = 'RK001'; END IF;
  IF p_project IS NOT NULL AND NOT (p_project = ANY (rookery.my_projects())) THEN
    RAISE EXCEPTION 'This machine has no access to the project.' USING ERRCODE = 'RK002';
  END IF;
  IF p_writes AND v_device.read_only THEN
    RAISE EXCEPTION 'This machine may only read.' USING ERRCODE = 'RK003';
  END IF;
  RETURN v_device;
END $$;

CREATE FUNCTION rookery.whoami_v1() RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT jsonb_build_object(
    'state', CASE WHEN d.revoked_at IS NOT NULL OR d.expires_at <= now() THEN 'revoked'
                  WHEN d.joined_at IS NULL THEN 'invited' ELSE 'joined' END,
    'hub', m.hub_id, 'epoch', m.epoch, 'version', m.schema_version, 'oldestClient', m.oldest_client,
    'device', d.id, 'deviceName', d.name, 'kind', d.kind, 'readOnly', d.read_only, 'member', p.name, 'isAdmin', p.is_admin)
  FROM rookery.devices d JOIN rookery.members p ON p.id = d.member_id CROSS JOIN rookery.meta m
  WHERE d.role_name = session_user
$$;

-- Ends the invitation: replaces the one-time password by a verifier of one that only the machine knows.
CREATE FUNCTION rookery.join_v1(p_name text, p_verifier text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices;
BEGIN
  SELECT * INTO v_device FROM rookery.devices d WHERE d.role_name = session_user FOR UPDATE;
  IF v_device.id IS NULL OR v_device.joined_at IS NOT NULL OR v_device.revoked_at IS NOT NULL OR v_device.join_until < now() THEN
    RAISE EXCEPTION 'The invitation was used, revoked or has expired.' USING ERRCODE = 'RK004';
  END IF;
  IF p_verifier !~ '^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' THEN
    RAISE EXCEPTION 'Not a SCRAM verifier.' USING ERRCODE = 'RK005';
  END IF;
  EXECUTE format('ALTER ROLE %I PASSWORD %L VALID UNTIL %L', session_user, p_verifier,
                 coalesce(v_device.expires_at::text, 'infinity'));
  UPDATE rookery.devices d SET name = p_name, joined_at = now(), seen_at = now() WHERE d.id = v_device.id;
  INSERT INTO rookery.audit (action, subject) VALUES ('join', p_name);
  RETURN rookery.whoami_v1();
END $$;

CREATE FUNCTION rookery.leave_v1() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices := rookery.require_device(NULL, false);
BEGIN
  UPDATE rookery.devices d SET revoked_at = now() WHERE d.id = v_device.id;
  DELETE FROM rookery.cursors c WHERE c.device_id = v_device.id;
  DELETE FROM rookery.leases l WHERE l.device_id = v_device.id;
  INSERT INTO rookery.audit (action) VALUES ('leave');
END $$;

CREATE FUNCTION rookery.find_project_v1(p_key text) RETURNS TABLE (id uuid, name text, members bigint, notes bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE v_device rookery.devices := rookery.require_device(NULL, false);
BEGIN
  RETURN QUERY SELECT p.id, p.name,
      (SELECT count(*) FROM rookery.grants g WHERE g.project_id = p.id),
      (SELECT count(*) FROM rookery.records r WHERE r.project_id = p.id AND r.gone_by IS NULL)
    FROM rookery.projects p JOIN rookery.project_keys k ON k.project_id = p.id
    WHERE k.key = p_key AND rookery.may_link(v_device.member_id, p.id);
END $$;

CREATE FUNCTION rookery.may_link(p_member uuid, p_project uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT NOT m.is_limited OR EXISTS (SELECT 1 FROM rookery.grants g WHERE g.member_id = p_member AND g.project_id = p_project)
  FROM rookery.members m WHERE m.id = p_member
$$;

-- Links this machine to the project with this key; makes the project if there is none.
CREATE FUNCTION rookery.link_v1(p_key text, p_name text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_device rookery.devices := rookery.require_device(NULL, false);
  v_project uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('rookery.link'), hashtext(p_key));
  SELECT k.project_id INTO v_project FROM rookery.project_keys k WHERE k.key = p_key;
  IF v_project IS NULL THEN
    v_device := rookery.require_device(NULL, true);
    IF (SELECT m.is_limited FROM rookery.members m WHERE m.id = v_device.member_id) THEN
      RAISE EXCEPTION 'This member may not add projects.' USING ERRCODE = 'RK002';
    END IF;
    INSERT INTO rookery.projects (name) VALUES (p_name) RETURNING id INTO v_project;
    INSERT INTO rookery.project_keys (key, project_id) VALUES (p_key, v_project);
  ELSIF NOT rookery.may_link(v_device.member_id, v_project) THEN
    RAISE EXCEPTION 'This member has no access to the project.' USING ERRCODE = 'RK002';
  END IF;
  INSERT INTO rookery.grants (project_id, member_id) VALUES (v_project, v_device.member_id) ON CONFLICT DO NOTHING;
  INSERT INTO rookery.cursors (project_id, device_id) VALUES (v_project, v_device.id) ON CONFLICT DO NOTHING;
  INSERT INTO rookery.audit (action, subject) VALUES ('link', v_project::text);
  RETURN v_project;
END $$;

CREATE FUNCTION rookery.unlink_v1(p_project uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices := rookery.require_device(p_project, false);
BEGIN
  DELETE FROM rookery.cursors c WHERE c.project_id = p_project AND c.device_id = v_device.id;
  DELETE FROM rookery.leases l WHERE l.project_id = p_project AND l.device_id = v_device.id;
  DELETE FROM rookery.grants g WHERE g.project_id = p_project AND g.member_id = v_device.member_id
    AND NOT (SELECT m.is_limited FROM rookery.members m WHERE m.id = v_device.member_id)
    AND NOT EXISTS (SELECT 1 FROM rookery.cursors c JOIN rookery.devices d ON d.id = c.device_id
                    WHERE c.project_id = p_project AND d.member_id = v_device.member_id);
  INSERT INTO rookery.audit (action, subject) VALUES ('unlink', p_project::text);
END $$;

-- Stores records as they are now on the machine that made them. Sending one again changes nothing.
-- Outcomes: kept, known (it is the same already), gone (forgotten before), not yours, not valid.
CREATE FUNCTION rookery.push_v1(p_project uuid, p_rows jsonb) RETURNS TABLE (id text, outcome text, seq bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  v_device rookery.devices := rookery.require_device(p_project, true);
  v_head bigint;
  v_row jsonb;
  v_known rookery.records;
BEGIN
  IF jsonb_array_length(p_rows) > 500 OR octet_length(p_rows::text) > 8388608 THEN
    RAISE EXCEPTION 'Too many rows at once.' USING ERRCODE = 'RK005';
  END IF;
  SELECT p.head INTO v_head FROM rookery.projects p WHERE p.id = p_project FOR UPDATE;
  FOR v_row IN SELECT value FROM jsonb_array_elements(p_rows) LOOP
    id := v_row ->> 'id';
    seq := NULL;
    SELECT * INTO v_known FROM rookery.records r WHERE r.project_id = p_project AND r.id = v_row ->> 'id';
    IF v_known.gone_by IS NOT NULL THEN
      outcome := 'gone';
      seq := v_known.seq;
    ELSIF v_known.id IS NOT NULL AND v_known.device_id <> v_device.id THEN
      outcome := 'not yours';
    ELSIF v_known.id IS NOT NULL AND v_known.body = v_row -> 'body' THEN
      outcome := 'known';
      seq := v_known.seq;
    ELSIF id IS NULL OR id !~ '^[0-9A-Za-z_-]{8,64}$' OR jsonb_typeof(v_row -> 'body') IS DISTINCT FROM 'object'
          OR octet_length((v_row -> 'body')::text) >= 262144 OR coalesce(length(v_row ->> 'kind') BETWEEN 1 AND 20, false) = false THEN
      outcome := 'not valid';
    ELSE
      v_head := v_head + 1;
      INSERT INTO rookery.records AS r (project_id, id, seq, kind, member_id, device_id, made_at, body_v, body)
      VALUES (p_project, v_row ->> 'id', v_head, v_row ->> 'kind', v_device.member_id, v_device.id,
              least(to_timestamp((v_row ->> 'madeAt')::double precision / 1000), now() + interval '5 minutes'),
              (v_row ->> 'version')::integer, v_row -> 'body')
      ON CONFLICT ON CONSTRAINT records_pkey DO UPDATE
        SET seq = excluded.seq, body_v = excluded.body_v, body = excluded.body, received_at = now();
      outcome := 'kept';
      seq := v_head;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE rookery.projects p SET head = v_head WHERE p.id = p_project AND p.head < v_head;
END $$;

-- Removes the text of records for everyone. Their author and administrators may; an unknown id is forgotten in advance.
CREATE FUNCTION rookery.forget_v1(p_project uuid, p_ids text[]) RETURNS TABLE (id text, outcome text, seq bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  v_device rookery.devices := rookery.require_device(p_project, true);
  v_is_admin boolean;
  v_head bigint;
  v_id text;
  v_known rookery.records;
BEGIN
  IF cardinality(p_ids) > 500 THEN RAISE EXCEPTION 'Too many rows at once.' USING ERRCODE = 'RK005'; END IF;
  SELECT m.is_admin INTO v_is_admin FROM rookery.members m WHERE m.id = v_device.member_id;
  SELECT p.head INTO v_head FROM rookery.projects p WHERE p.id = p_project FOR UPDATE;
  FOREACH v_id IN ARRAY p_ids LOOP
    id := v_id;
    seq := NULL;
    SELECT * INTO v_known FROM rookery.records r WHERE r.project_id = p_project AND r.id = v_id;
    IF v_known.gone_by IS NOT NULL THEN
      outcome := 'gone';
      seq := v_known.seq;
    ELSIF v_known.id IS NOT NULL AND v_known.member_id <> v_device.member_id AND NOT v_is_admin THEN
      outcome := 'not yours';
    ELSIF v_id !~ '^[0-9A-Za-z_-]{8,64}$' THEN
      outcome := 'not valid';
    ELSE
      v_head := v_head + 1;
      INSERT INTO rookery.records AS r (project_id, id, seq, kind, member_id, device_id, made_at, body_v, gone_by)
      VALUES (p_project, v_id, v_head, 'gone', v_device.member_id, v_device.id, now(), 0, v_device.member_id)
      ON CONFLICT ON CONSTRAINT records_pkey DO UPDATE
        SET seq = excluded.seq, kind = 'gone', body_v = 0, body = NULL, gone_by = excluded.gone_by, made_at = now(), received_at = now();
      outcome := 'gone';
      seq := v_head;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE rookery.projects p SET head = v_head WHERE p.id = p_project AND p.head < v_head;
END $$;

-- This machine has applied the project up to this number.
CREATE FUNCTION rookery.seen_v1(p_project uuid, p_seq bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices := rookery.require_device(p_project, false);
BEGIN
  INSERT INTO rookery.cursors (project_id, device_id, seq)
  SELECT p_project, v_device.id, least(greatest(p_seq, 0), p.head) FROM rookery.projects p WHERE p.id = p_project
  ON CONFLICT (project_id, device_id) DO UPDATE SET seq = excluded.seq, at = now();
  UPDATE rookery.devices d SET seen_at = now() WHERE d.id = v_device.id;
END $$;

-- The caller has read the leases and their fence, and found no conflict. NULL if anyone has changed them since.
CREATE FUNCTION rookery.take_lease_v1(p_project uuid, p_fence bigint, p_id text, p_holder text, p_globs text[],
                                      p_exclusive boolean, p_seconds integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_device rookery.devices := rookery.require_device(p_project, true);
  v_fence bigint;
BEGIN
  SELECT p.fence INTO v_fence FROM rookery.projects p WHERE p.id = p_project FOR UPDATE;
  IF v_fence <> p_fence THEN RETURN NULL; END IF;
  DELETE FROM rookery.leases l WHERE l.project_id = p_project AND l.expires_at < now();
  INSERT INTO rookery.leases AS l (project_id, id, device_id, holder, globs, exclusive, fence, expires_at)
  VALUES (p_project, p_id, v_device.id, p_holder, p_globs, p_exclusive, v_fence + 1,
          now() + make_interval(secs => least(greatest(p_seconds, 1), 86400)))
  ON CONFLICT (project_id, id) DO UPDATE
    SET globs = excluded.globs, exclusive = excluded.exclusive, fence = excluded.fence, expires_at = excluded.expires_at
    WHERE l.device_id = excluded.device_id;
  UPDATE rookery.projects p SET fence = v_fence + 1 WHERE p.id = p_project;
  RETURN v_fence + 1;
END $$;

CREATE FUNCTION rookery.release_lease_v1(p_project uuid, p_id text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE v_device rookery.devices := rookery.require_device(p_project, true);
BEGIN
  DELETE FROM rookery.leases l WHERE l.project_id = p_project AND l.id = p_id AND l.device_id = v_device.id;
  UPDATE rookery.projects p SET fence = fence + 1 WHERE p.id = p_project;
END $$;

ALTER TABLE rookery.meta ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.project_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.records ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.cursors ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE rookery.audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_the_hub ON rookery.meta FOR SELECT USING ((SELECT rookery.my_device()) IS NOT NULL);
CREATE POLICY of_the_hub ON rookery.members FOR SELECT USING ((SELECT rookery.my_device()) IS NOT NULL);
CREATE POLICY of_the_hub ON rookery.devices FOR SELECT USING ((SELECT rookery.my_device()) IS NOT NULL);
CREATE POLICY of_my_projects ON rookery.projects FOR SELECT USING (id = ANY ((SELECT rookery.my_projects())::uuid[]));
CREATE POLICY of_my_projects ON rookery.records FOR SELECT USING (project_id = ANY ((SELECT rookery.my_projects())::uuid[]));
CREATE POLICY of_my_projects ON rookery.cursors FOR SELECT USING (project_id = ANY ((SELECT rookery.my_projects())::uuid[]));
CREATE POLICY of_my_projects ON rookery.leases FOR SELECT USING (project_id = ANY ((SELECT rookery.my_projects())::uuid[]));

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA rookery FROM PUBLIC;
GRANT SELECT ON rookery.meta, rookery.projects, rookery.records, rookery.cursors, rookery.leases TO {{devices}};
GRANT SELECT (id, name) ON rookery.members TO {{devices}};
GRANT SELECT (id, member_id, name, kind, joined_at, revoked_at, expires_at) ON rookery.devices TO {{devices}};
GRANT EXECUTE ON FUNCTION rookery.my_device(), rookery.my_projects(), rookery.whoami_v1(), rookery.join_v1(text, text),
  rookery.leave_v1(), rookery.find_project_v1(text), rookery.link_v1(text, text), rookery.unlink_v1(uuid),
  rookery.push_v1(uuid, jsonb), rookery.forget_v1(uuid, text[]), rookery.seen_v1(uuid, bigint),
  rookery.take_lease_v1(uuid, bigint, text, text, text[], boolean, integer), rookery.release_lease_v1(uuid, text) TO {{devices}};
