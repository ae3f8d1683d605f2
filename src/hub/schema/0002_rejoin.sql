-- A machine that left and joined again has another login: it takes over the records of its member's former ones.
CREATE FUNCTION rookery.may_change(p_record rookery.records, p_device rookery.devices) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT p_record.device_id = p_device.id OR (p_record.member_id = p_device.member_id
    AND EXISTS (SELECT 1 FROM rookery.devices d WHERE d.id = p_record.device_id
                AND (d.revoked_at IS NOT NULL OR d.expires_at <= now())))
$$;
REVOKE ALL ON FUNCTION rookery.may_change(rookery.records, rookery.devices) FROM PUBLIC;

-- Stores records as they are now on the machine that made them. Sending one again changes nothing.
-- Outcomes: kept, known (it is the same already), gone (forgotten before), not yours, not valid.
CREATE OR REPLACE FUNCTION rookery.push_v1(p_project uuid, p_rows jsonb) RETURNS TABLE (id text, outcome text, seq bigint)
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
    ELSIF v_known.id IS NOT NULL AND NOT rookery.may_change(v_known, v_device) THEN
      outcome := 'not yours';
    ELSIF v_known.id IS NOT NULL AND v_known.body = v_row -> 'body' AND v_known.device_id = v_device.id THEN
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
        SET seq = excluded.seq, device_id = excluded.device_id, body_v = excluded.body_v, body = excluded.body,
            received_at = now();
      outcome := 'kept';
      seq := v_head;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE rookery.projects p SET head = v_head WHERE p.id = p_project AND p.head < v_head;
END $$;
