-- A machine whose access has expired can still connect, like a revoked one: it reads nothing, learns that it has ended, and
-- removes the notes of others. Its login used to expire with it, so that it kept them.
CREATE OR REPLACE FUNCTION rookery.join_v1(p_name text, p_verifier text) RETURNS jsonb
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
  EXECUTE format('ALTER ROLE %I PASSWORD %L VALID UNTIL ''infinity''', session_user, p_verifier);
  UPDATE rookery.devices d SET name = p_name, joined_at = now(), seen_at = now() WHERE d.id = v_device.id;
  INSERT INTO rookery.audit (action, subject) VALUES ('join', p_name);
  RETURN rookery.whoami_v1();
END $$;

DO $$
DECLARE v_role text;
BEGIN
  FOR v_role IN SELECT d.role_name FROM rookery.devices d WHERE d.joined_at IS NOT NULL AND d.expires_at IS NOT NULL LOOP
    EXECUTE format('ALTER ROLE %I VALID UNTIL ''infinity''', v_role);
  END LOOP;
END $$;
