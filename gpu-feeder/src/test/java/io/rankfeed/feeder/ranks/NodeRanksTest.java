package io.rankfeed.feeder.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.failure.ConfigException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ranks of a node in the environments of torchrun, its operators and Slurm. */
class NodeRanksTest {
    private static Map<String, String> environment(String text) {
        Map<String, String> variables = new TreeMap<>();
        Arrays.stream(text.strip().split(" +", -1))
                .filter(word -> !word.isEmpty())
                .forEach(word ->
                        variables.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1)));
        return variables;
    }

    @ParameterizedTest
    @CsvSource({
        "GROUP_RANK=1 LOCAL_WORLD_SIZE=4 WORLD_SIZE=8 RANK=4, 4-7, 8",
        "PET_NNODES=2 PET_NODE_RANK=0 PET_NPROC_PER_NODE=8, 0-7, 16",
        "PET_NNODES=1 PET_NODE_RANK=0 PET_NPROC_PER_NODE=1, 0, 1",
        "SLURM_NNODES=3 SLURM_NODEID=2 SLURM_GPUS_ON_NODE=2 SLURM_TASKS_PER_NODE=1(x3), 4-5, 6",
        "SLURM_NNODES=2 SLURM_NODEID=1 SLURM_TASKS_PER_NODE=4(x2), 4-7, 8",
        "SLURM_NNODES=1 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=4, 0-3, 4",
        "GROUP_RANK=0 LOCAL_WORLD_SIZE=1 WORLD_SIZE=2 SLURM_NNODES=2 SLURM_NODEID=1 SLURM_TASKS_PER_NODE=4(x2), 0, 2"
    })
    void ranks_ofLauncher_areFound(String variables, String ranks, int world) {
        NodeRanks node = NodeRanks.of(environment(variables));

        assertThat(RankList.text(node.ranks())).isEqualTo(ranks);
        assertThat(node.world()).isEqualTo(world);
    }

    @ParameterizedTest
    @CsvSource({
        "'', neither torchrun's variables",
        "GROUP_RANK=0 LOCAL_WORLD_SIZE=3 WORLD_SIZE=8, does not fit into a world of 8",
        "PET_NNODES=99999 PET_NODE_RANK=0 PET_NPROC_PER_NODE=99999, does not fit into a world of 9999800001",
        "GROUP_RANK=2 LOCAL_WORLD_SIZE=4 WORLD_SIZE=8, does not fit into a world of 8",
        "GROUP_RANK=0 LOCAL_WORLD_SIZE=0 WORLD_SIZE=8, does not fit into a world of 8",
        "PET_NNODES=1:4 PET_NODE_RANK=0 PET_NPROC_PER_NODE=8, 'PET_NNODES is ''1:4'', expected one number'",
        "PET_NNODES=2 PET_NODE_RANK=0 PET_NPROC_PER_NODE=gpu, 'PET_NPROC_PER_NODE is ''gpu'''",
        "PET_NNODES=2 PET_NPROC_PER_NODE=2, PET_NODE_RANK is not set",
        "'SLURM_NNODES=3 SLURM_NODEID=0 SLURM_TASKS_PER_NODE=2(x2),1', 'SLURM_TASKS_PER_NODE is ''2(x2),1'''"
    })
    void variables_inconsistent_areRefused(String variables, String message) {
        assertThatThrownBy(() -> NodeRanks.of(environment(variables)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message)
                .hasMessageEndingWith("write the ranks, as in --ranks 0-3 --world 8");
    }
}
