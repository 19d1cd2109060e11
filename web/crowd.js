// SPDX-License-Identifier: MIT
// The crowd: instances of the character that play from a bake.
import { AmbientLight, Box3, Color, Euler, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion, Vector3 } from 'three';
import { PeltCrowd, readBake } from 'pelt-three';
import { parseScene } from './character.js';
import { litScene } from './stage.js';

// The same numbers each time.
function randomNumbers(seed)
{
    let state = seed;
    return () =>
    {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return state / 2 ** 32;
    };
}

/// Crowd and scene.
export class CrowdScene
{
    /// @param scene  the GLB file of the character
    /// @param made   what the task `bake` gives
    static async open({ scene, made, pelt, method, count, animations })
    {
        const { scene: hero } = await parseScene(scene);
        return new CrowdScene(new PeltCrowd(hero, readBake(made), { pelt, method, animations, capacity: count }), count);
    }

    constructor(crowd, count)
    {
        this.crowd = crowd;
        this.scene = litScene();
        this.scene.add(crowd, new AmbientLight(0xffffff, 0.3));
        this._place(count);
    }

    // Rows with some disorder; each instance has a clip, a time and a speed of its own.
    _place(count)
    {
        const { crowd } = this, random = randomNumbers(7), { clips } = crowd.bake;
        const box = clips.reduce((all, _, i) => all.union(crowd.bake.clipBox(i)), new Box3());
        const size = box.getSize(new Vector3()), step = 1.05 * Math.max(size.x, size.z, 0.4 * size.y);
        const columns = Math.ceil(Math.sqrt(1.6 * count)), up = new Vector3(0, 1, 0);
        for (let i = 0; i < count; ++i)
        {
            const clip = Math.floor(random() * clips.length);
            const x = i % columns - (columns - 1) / 2, z = -Math.floor(i / columns);
            crowd.addInstance({
                clip, time: random() * clips[clip].duration, speed: 0.85 + 0.3 * random(),
                position: new Vector3((x + 0.3 * random()) * step, 0, (z + 0.3 * random()) * step),
                quaternion: new Quaternion().setFromAxisAngle(up, 0.7 * (random() - 0.5)),
                color: new Color().setHSL(random(), 0.12, 0.62 + 0.2 * random()),
            });
        }
        this.size = size;
        this.step = step;
        this.columns = columns;
        const floor = new Mesh(new PlaneGeometry(1, 1), new MeshStandardMaterial({ color: 0x808080, roughness: 1 }));
        floor.rotation.copy(new Euler(-Math.PI / 2, 0, 0));
        floor.position.y = box.min.y;
        floor.scale.setScalar(80 * step);
        this.floor = floor;
        this.scene.add(floor);
    }

    /// Look over the heads of the first row.
    frame({ camera, controls })
    {
        const { size, step, columns } = this;
        const width = columns * step;
        controls.target.set(0, 0.35 * size.y, -0.25 * width);
        camera.position.set(0.1 * width, 0.6 * size.y + 0.14 * width, 0.42 * width);
        Object.assign(camera, { near: 0.02 * size.y, far: 6 * columns * step });
        controls.update();
    }

    setBackground(color)
    {
        this.floor.material.color.set(color).multiplyScalar(0.8);
    }

    /// Let time pass and decode what is in view.
    update(renderer, camera, seconds)
    {
        this.crowd.live.forEach(({ mixer }) => mixer.update(seconds));
        camera.updateMatrixWorld();
        this.crowd.update(renderer, camera, seconds);
    }

    /// Make the instance that a ray hits a character of its own, or an instance again.
    toggleLive(raycaster)
    {
        const { crowd } = this, box = new Box3();
        for (const live of crowd.live.values())
        {
            if (raycaster.ray.intersectsBox(live.skin.bounds(box)))
            {
                crowd.demote(live.index);
                return { index: live.index, isLive: false };
            }
        }
        const [hit] = raycaster.intersectObject(crowd, false);
        if (hit === undefined)
        {
            return null;
        }
        crowd.promote(hit.instanceId);
        return { index: hit.instanceId, isLive: true };
    }

    dispose()
    {
        this.crowd.dispose();
        this.floor.geometry.dispose();
        this.floor.material.dispose();
    }
}
