package io.rankfeed.spark.init;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.spark.run.LocalSpark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** A user's answers decide; a key that is none is asked for again. */
class QuestionsIT {
    private final Dataset<Row> table = LocalSpark.session(1)
            .range(60)
            .selectExpr("id", "id % 6 AS a", "CAST(id / 6 AS INT) AS b", "if(id < 50, 'train', 'test') AS split");
    private final List<String> asked = new ArrayList<>();

    private TableProfile answered(String... answers) {
        Deque<String> left = new ArrayDeque<>(List.of(answers));
        Questions questions = new Questions(question -> {
            asked.add(question);
            return Optional.ofNullable(left.poll());
        });
        return questions.of(TableProfile.of(table, false), table);
    }

    @Test
    void answers_empty_takeWhatWasFound() {
        TableProfile profile = answered("", "");
        assertThat(profile.key()).containsExactly("id");
        assertThat(profile.split()).isEqualTo("split");
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0)).contains("[id]");
    }

    @Test
    void input_ended_takesWhatWasFound() {
        assertThat(answered().key()).containsExactly("id");
    }

    @Test
    void key_isCheckedAndSplitRefused() {
        TableProfile profile = answered("c", "a", " a , b ", "no");
        assertThat(asked.get(1)).contains("The columns are id, a, b, split");
        assertThat(asked.get(2)).contains("Some rows have the same a");
        assertThat(profile.key()).containsExactly("a", "b");
        assertThat(profile.split()).isEmpty();
    }
}
