package io.rankfeed.export.commit;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's settings in a form that is sent to tasks. */
final class TaskConfiguration implements Serializable {
    private static final long serialVersionUID = 1L;

    private transient Configuration value;

    TaskConfiguration(Configuration value) {
        this.value = value;
    }

    Configuration value() {
        return value;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        value.write(out);
    }

    private void readObject(ObjectInputStream in) throws IOException {
        value = new Configuration(false);
        value.readFields(in);
    }
}
