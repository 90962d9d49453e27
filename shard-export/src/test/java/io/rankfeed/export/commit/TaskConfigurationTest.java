package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TaskConfigurationTest {
    @Test
    void aTaskHasTheSettingsOfTheDriver() throws Exception {
        Configuration conf = new Configuration();
        conf.set("rankfeed.empty", "");
        conf.set("rankfeed.variable", "${rankfeed.long}-ü");
        conf.set("rankfeed.long", "x".repeat(100_000));
        TaskConfiguration sent = new TaskConfiguration(conf);
        conf.set("rankfeed.late", "is not sent");

        Configuration received = received(sent);
        assertThat(received.get("rankfeed.late")).isNull();
        assertThat(received.get("rankfeed.variable")).endsWith("x-ü");
        conf.unset("rankfeed.late");
        assertThat(settings(received)).isEqualTo(settings(conf)).hasSizeGreaterThan(100);
    }

    @Test
    void tasksOfAProcessShareEqualSettingsAndNoOthers() throws Exception {
        Configuration one = new Configuration();
        Configuration other = new Configuration();
        other.set("rankfeed.other", "1");
        Configuration first = received(new TaskConfiguration(one));
        assertThat(received(new TaskConfiguration(new Configuration(one)))).isSameAs(first);
        assertThat(received(new TaskConfiguration(other)).get("rankfeed.other")).isEqualTo("1");
        assertThat(first.get("rankfeed.other")).isNull();
        for (int i = 0; i < 20; i++) {
            other.setInt("rankfeed.other", i);
            assertThat(received(new TaskConfiguration(other)).getInt("rankfeed.other", -1))
                    .isEqualTo(i);
        }
    }

    private static Map<String, String> settings(Configuration conf) {
        Map<String, String> settings = new HashMap<>();
        conf.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
        return settings;
    }

    /** What a task has of it. */
    private static Configuration received(TaskConfiguration sent) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(sent);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return ((TaskConfiguration) in.readObject()).value();
        }
    }
}
