package io.rankfeed.export.commit;

import io.rankfeed.schema.digest.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's settings in a form that is sent to tasks. Spark serializes a closure more than once for each stage, and deserializes it for each
 * task. So the settings are encoded once, and a process decodes equal settings once: the tasks of a process share a
 * {@link Configuration}, which none of them may change. What Hadoop knows of the origin of a setting is not sent.
 */
public final class TaskConfiguration implements Serializable {
    private static final long serialVersionUID = 1L;
    /** The number of different settings that a process keeps. A job has few: those of Spark, and those of a query with options. */
    private static final int MAX_DECODED = 8;

    private static final Map<String, Configuration> DECODED = new HashMap<>();

    private final byte[] entries;
    private final String sha256;
    private transient @Nullable Configuration value;

    /** @param value later changes of it do not reach the tasks */
    public TaskConfiguration(Configuration value) {
        this.value = value;
        this.entries = encoded(value);
        this.sha256 = Sha256.hex(entries);
    }

    public Configuration value() {
        Configuration known = value;
        if (known == null) {
            known = shared();
            value = known;
        }
        return known;
    }

    private Configuration shared() {
        synchronized (DECODED) {
            Configuration known = DECODED.get(sha256);
            if (known == null) {
                if (DECODED.size() == MAX_DECODED) {
                    DECODED.clear();
                }
                known = decoded(entries);
                DECODED.put(sha256, known);
            }
            return known;
        }
    }

    /** In the order of their names, so that equal settings have equal bytes. Variables in values stay as they are. */
    private static byte[] encoded(Configuration conf) {
        TreeMap<String, String> settings = new TreeMap<>();
        conf.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 17);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(settings.size());
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                Text.writeString(out, setting.getKey());
                Text.writeString(out, setting.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static Configuration decoded(byte[] entries) {
        Configuration conf = new Configuration(false);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entries))) {
            for (int left = in.readInt(); left > 0; left--) {
                conf.set(Text.readString(in), Text.readString(in));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return conf;
    }
}
